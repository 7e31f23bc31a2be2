begin;
select plan(8);
select test.clean_slate();
create function pg_temp.events() returns setof platform.delivery_event language sql
as $$ select e.* from private.explain_guesses('PHONE', '+12025550101') e $$;
create function pg_temp.guess(purpose text, times integer) returns void language sql
as $$ select test.guess('PHONE', '+12025550101', purpose) from generate_series(1, times) $$;

select is_empty('select pg_temp.events()', 'without a wrong code nothing is shown');
select pg_temp.guess('SIGNUP', 4);
select results_eq('select e.at, e.what, e.otp_id from pg_temp.events() e',
  $$select g.first_guess_at, 'Wrong codes for SIGNUP were typed, while there was no code: 4.', null::uuid from private.guess_count g$$,
  'wrong codes without a code are shown when the first of them was typed');
select is_empty($$select private.explain_guesses('EMAIL', '+12025550101')$$, 'another type of identifier is not looked at');
select test.age_guesses('300 seconds');
select is_empty('select pg_temp.events()', 'wrong codes that no longer count are not shown');

select test.send_code('+12025550101', 'LOGIN');
select pg_temp.guess('LOGIN', 4);
select is_empty('select pg_temp.events()', 'wrong codes at a code that do not block it are shown of the code, and not twice');
select pg_temp.guess('LOGIN', 1);
select results_eq('select e.what, e.otp_id, e.details from pg_temp.events() e',
  $$select 'Every LOGIN code is refused now, the right one too (MAX_ATTEMPTS_REACHED).', o.id,
      'until ' || private.written_time(g.first_guess_at + interval '300 seconds') || ', or until a new code is sent'
    from platform.otp_transaction o join private.guess_count g on g.purpose = o.purpose$$,
  'wrong codes that block are shown with the end of the block');
select cmp_ok((select e.at from pg_temp.events() e), '>=', now(), 'a block is shown as of now');
select test.age_otps('1 minute'), test.age_guesses('1 minute');
select test.send_code('+12025550101', 'LOGIN');
select is_empty('select pg_temp.events()', 'a new code ends the block');

select * from finish();
rollback;
