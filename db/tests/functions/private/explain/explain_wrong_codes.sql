begin;
select plan(7);
select test.clean_slate();
create function pg_temp.events() returns setof platform.delivery_event language sql
as $$ select e.* from platform.otp_transaction o, private.explain_wrong_codes(o) e order by o.created_at $$;
create function pg_temp.guess(times integer) returns void language sql
as $$ select test.guess('PHONE', '+12025550101', 'LOGIN') from generate_series(1, times) $$;

select test.send_code('+12025550101', 'LOGIN');
select is_empty('select pg_temp.events()', 'without a wrong code nothing is shown');
select pg_temp.guess(2);
select results_eq('select e.at, e.what, e.otp_id, e.details from pg_temp.events() e',
  $$select g.first_guess_at, 'Wrong codes were typed: 2 of the 5 that block this code.', o.id, 'the first of those that count now was typed then'
    from private.guess_count g, platform.otp_transaction o$$,
  'wrong codes at the current one are shown when the first of them was typed');
select test.set_setting('OTP_MAX_ATTEMPTS', '7');
select is((select e.what from pg_temp.events() e), 'Wrong codes were typed: 2 of the 7 that block this code.', 'the number that blocks is the setting''s');

-- A second code: its guesses are not the first one's.
select test.age_otps('1 minute'), test.age_guesses('1 minute');
select test.send_code('+12025550101', 'LOGIN');
select is((select e.details from pg_temp.events() e), 'the first of those that count now was typed then',
  'while no wrong code was typed at the next one, the first one''s time is still stored');
select pg_temp.guess(1);
select results_eq('select e.what, e.details from pg_temp.events() e',
  $$values ('Wrong codes were typed: 2 of the 7 that block this code.', 'when they were typed is not stored'),
    ('Wrong codes were typed: 1 of the 7 that block this code.', 'the first of those that count now was typed then')$$,
  'wrong codes at the next one are shown of that one alone');
select is((select e.at from pg_temp.events() e limit 1), (select o.current_since from platform.otp_transaction o order by o.created_at limit 1),
  'wrong codes whose time is not stored are shown when their code became current');

-- A first guess at the very moment in which a code became current is of that code.
update private.guess_count g set first_guess_at = (select max(o.current_since) from platform.otp_transaction o);
select results_eq('select e.details from pg_temp.events() e', array['when they were typed is not stored', 'the first of those that count now was typed then'],
  'a wrong code of the moment in which the next one became current is shown of the next one');

select * from finish();
rollback;
