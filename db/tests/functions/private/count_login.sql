begin;
select plan(9);
select test.clean_slate();
create function pg_temp.counted(is_right boolean, known boolean) returns text language sql
as $$ select (private.count_login(private.login_failure_rules('+12025550101', 'home'), '+12025550101', is_right, known)).policy $$;
create function pg_temp.hits() returns text language sql
as $$ select concat_ws(' ', test.hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 home'), test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'),
  test.hits('LOGIN_FAILURES_PER_IP:home'), test.hits('LOGINS_PER_PHONE:+12025550101')) $$;
create function pg_temp.spend(key text, hits integer) returns void language sql
as $$ select test.insert_hits(key, variadic array_fill(clock_timestamp(), array[hits])) $$;

select is(pg_temp.counted(false, false), null, 'a wrong password counts');
select is(pg_temp.counted(false, true), null, 'at a known client too');
select is(pg_temp.hits(), '2 2 2 0', 'against every limit of failures');
select is(pg_temp.counted(true, false), null, 'a right one counts');
select is(pg_temp.hits(), '2 2 2 1', 'as a login');
delete from platform.rate_limit;
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE:+12025550101', 100);
select is(array[pg_temp.counted(false, false), pg_temp.counted(false, true), pg_temp.counted(true, false)],
  array_fill('LOGIN_FAILURES_PER_PHONE'::text, array[3]), 'a spent limit refuses every wrong password, whoever''s, and a stranger''s right one');
select is(pg_temp.counted(true, true), null, 'and lets a known client''s right one in');
delete from platform.rate_limit;
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 home', 10);
select is(pg_temp.counted(true, true), 'LOGIN_FAILURES_PER_PHONE_AND_IP', 'but not where its own is spent');
delete from platform.rate_limit;
select pg_temp.spend('LOGINS_PER_PHONE:+12025550101', 30);
select is(array[pg_temp.counted(true, false), pg_temp.counted(false, false)], array['LOGINS_PER_PHONE', null], 'the limit of logins refuses the right password only');

select * from finish();
rollback;
