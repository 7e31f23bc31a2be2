begin;
select plan(9);
select test.clean_slate();
select private.remember_client(test.make_account('+12025550101'), 'home');
create function pg_temp.refused_by(is_right boolean, known boolean) returns text language sql
as $$ select (private.count_login(
    test.password_attempt('+12025550101', client => case when known then 'home' else 'bot' end),
    private.login_rules('00000000-0000-7000-8000-000000000001'), is_right
  )).policy $$;
create function pg_temp.hits() returns text language sql
as $$ select concat_ws(' ', test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 home'), test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 bot'),
  test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), test.hits('LOGIN_FAILURES_PER_IP:home'), test.hits('LOGIN_FAILURES_PER_IP:bot'), test.hits('LOGINS_PER_PHONE:00000000-0000-7000-8000-000000000001')) $$;
create function pg_temp.spend(key text, hits integer) returns void language sql
as $$ select test.insert_hits(key, variadic array_fill(clock_timestamp(), array[hits])) $$;

select is(pg_temp.refused_by(false, false), null, 'a wrong password of an unknown client is not over a limit');
select is(pg_temp.refused_by(false, true), null, 'a wrong password of a known client is not over a limit');
select is(pg_temp.hits(), '1 1 2 1 1 0', 'wrong passwords count against every limit of failures, for known and unknown clients');
select is(pg_temp.refused_by(true, false), null, 'a right password is not over a limit');
select is(pg_temp.hits(), '1 1 2 1 1 1', 'a right password counts as a login and not as a failure');
delete from platform.rate_limit;
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE:+12025550101', 100);
select is(array[pg_temp.refused_by(false, false), pg_temp.refused_by(false, true), pg_temp.refused_by(true, false)],
  array_fill('LOGIN_FAILURES_PER_PHONE'::text, array[3]),
  'a spent LOGIN_FAILURES_PER_PHONE refuses wrong passwords of all clients, and the right one of an unknown client');
select is(pg_temp.refused_by(true, true), null,
  'a spent LOGIN_FAILURES_PER_PHONE does not refuse the right password of a known client');
delete from platform.rate_limit;
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 home', 10);
select is(pg_temp.refused_by(true, true), 'LOGIN_FAILURES_PER_PHONE_AND_IP',
  'a spent LOGIN_FAILURES_PER_PHONE_AND_IP refuses the right password of a known client');
delete from platform.rate_limit;
select pg_temp.spend('LOGINS_PER_PHONE:00000000-0000-7000-8000-000000000001', 30);
select is(array[pg_temp.refused_by(true, false), pg_temp.refused_by(false, false)], array['LOGINS_PER_PHONE', null],
  'a spent LOGINS_PER_PHONE refuses the right password and not a wrong one');

select * from finish();
rollback;
