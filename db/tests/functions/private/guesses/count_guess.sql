begin;
select plan(13);
select test.clean_slate();
select private.remember_client(test.make_account('+12025550101'), 'home');
create function pg_temp.guess(client text default 'bot') returns text language plpgsql
as $$
begin
  perform private.lock_verification_state('PHONE', '+12025550101');
  perform test.guess('PHONE', '+12025550101', 'SIGNUP', null, client);
  return (select row(g.guesses, g.first_guess_at > now())::text from private.guess_count g);
end
$$;
select is(pg_temp.guess(), '(1,t)', 'a wrong code without a one-time password is counted');
create temp table first on commit drop as select first_guess_at from private.guess_count;
select is(pg_temp.guess(), '(2,t)', 'a second wrong code is counted');
select is((select first_guess_at from private.guess_count), (select first_guess_at from first),
  'a second wrong code does not change when the first one was');
select test.age_guesses('300 seconds');
select is(pg_temp.guess(), '(1,t)', 'OTP_TTL_SECONDS after the first wrong code counting starts again');
select test.send_code('+12025550101', 'SIGNUP');
select is(pg_temp.guess(), '(1,t)', 'counting starts again when a newer code is delivered');
select is((test.otp('+12025550101', 'SIGNUP')).attempts, 1, 'a wrong code costs the current one-time password an attempt');
delete from platform.otp_transaction;
select is(pg_temp.guess(), '(2,t)', 'counting goes on when the one-time password is deleted');
select test.send_code('+12025550101', 'SIGNUP');
update private.guess_count g set first_guess_at = o.current_since from platform.otp_transaction o;
select is(pg_temp.guess(), '(3,t)', 'a guess at the very moment of delivery counts for the delivered code');
select is((select g.first_guess_at from private.guess_count g), (test.otp('+12025550101', 'SIGNUP')).current_since, 'and stays the first one');
delete from platform.otp_transaction;
select is((select failures from private.verification_state), 6, 'each wrong code is a failure in a row');
select pg_temp.guess('home');
select is((select row(failures, known_client_failures)::text from private.verification_state), '(7,1)',
  'a wrong code from a known client is also counted separately');

-- Identifier type, identifier and purpose
delete from private.guess_count;
insert into private.guess_count values
  ('EMAIL', '+12025550101', 'SIGNUP', 1, clock_timestamp()),
  ('PHONE', '+12025550102', 'SIGNUP', 1, clock_timestamp()),
  ('PHONE', '+12025550101', 'PASSWORD_RESET', 1, clock_timestamp());
select test.guess('PHONE', '+12025550101', 'SIGNUP');
select is((select array_agg(guesses) from private.guess_count), array[1, 1, 1, 1],
  'guesses of another identifier type, identifier or purpose are not counted');

-- The row's other columns and other rows: an update that changes nothing still locks what it writes.
select test.clean_slate();
insert into private.guess_count (identifier_type, identifier, purpose, account_id, guesses, first_guess_at)
select g.type, g.identifier, g.purpose, g.account_id, 1, clock_timestamp()
from (values ('PHONE', '+12025550101', 'SIGNUP', null), ('EMAIL', '+12025550101', 'SIGNUP', null), ('PHONE', '+12025550102', 'SIGNUP', null),
  ('PHONE', '+12025550101', 'LOGIN', null), ('EMAIL', 'ada@example.com', 'LOGIN', null),
  ('PHONE', '+12025550101', 'PHONE_CHANGE', test.make_account('+12025550101')),
  ('PHONE', '+12025550101', 'PHONE_CHANGE', test.make_account('+12025550102'))) g (type, identifier, purpose, account_id);
create temp table written (guess private.guess_count) on commit drop;
create function pg_temp.note() returns trigger language plpgsql as $$ begin insert into written values (new); return null; end $$;
create trigger note after update on private.guess_count for each row execute function pg_temp.note();
select test.guess('PHONE', '+12025550101', 'SIGNUP'),
  test.guess('PHONE', '+12025550101', 'PHONE_CHANGE', a.id)
from "user".account a where a.phone = '+12025550101';
select results_eq($$select concat_ws(' ', (w.guess).identifier_type, (w.guess).identifier, (w.guess).purpose, a.phone)
    from written w left join "user".account a on a.id = (w.guess).account_id order by 1$$,
  array_fill('PHONE +12025550101 PHONE_CHANGE +12025550101'::text, array[2]) || array_fill('PHONE +12025550101 SIGNUP'::text, array[2]),
  'without a one-time password the count is written twice, as much work as with one, and no other row');

select * from finish();
rollback;
