begin;
select plan(6);
select test.clean_slate();
create function pg_temp.events() returns setof platform.delivery_event language sql
as $$ select e.* from private.explain_failures('PHONE', '+12025550101') e $$;
select is_empty('select pg_temp.events()', 'a phone that was never verified is not blocked');
insert into private.verification_state (identifier_type, identifier, failures, failed_at) values ('PHONE', '+12025550101', 99, now());
select is_empty('select pg_temp.events()', 'ninety-nine wrong codes in a row are not shown');
update private.verification_state set failures = 100;
select results_eq('select e.what, e.otp_id, e.details from pg_temp.events() e',
  $$select 'Every code is refused now after 100 wrong ones in a row (MAX_ATTEMPTS_REACHED).', null::uuid,
      'until ' || private.written_time(now() + interval '1 day') || ' (OTP_FAILURES_IN_A_ROW); '
      || 'clients that the account logged in from lately may still type the right one'$$,
  'a hundred wrong codes in a row are shown with the end of the block');
update private.verification_state set known_client_failures = 100, known_client_failed_at = now();
select matches((select e.details from pg_temp.events() e), 'from any client$', 'a block of known clients too is shown');
select is_empty($$select private.explain_failures('EMAIL', '+12025550101')$$, 'another type of identifier is not looked at');
select test.age_failures('1 day');
select is_empty('select pg_temp.events()', 'a block that has ended is not shown');

select * from finish();
rollback;
