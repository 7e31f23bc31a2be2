begin;
select plan(8);
select test.clean_slate();
select test.make_account('+12025550101');
select private.remember_client(a.id, 'home') from "user".account a;
create function pg_temp.refused(phone text, client text) returns text language sql
as $$ select (private.refuse_login(private.login_failure_rules(phone, client), client)).policy $$;
create function pg_temp.spend(key text, hits integer) returns void language sql
as $$ select test.insert_hits(key, variadic array_fill(clock_timestamp(), array[hits])) $$;

select is(array[pg_temp.refused('+12025550101', 'home'), pg_temp.refused('+12025550101', 'bot')], array[null, null]::text[], 'while every limit has room a password is compared');
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE:+12025550101', 100);
select is(pg_temp.refused('+12025550101', 'bot'), 'LOGIN_FAILURES_PER_PHONE', 'a stranger is refused where a limit is spent');
select is(pg_temp.refused('+12025550101', 'home'), null, 'a known client not yet: its right password is let in');
select pg_temp.spend('LOGIN_FAILURES_PER_IP:home', 100);
select is(pg_temp.refused('+12025550199', 'home'), null, 'at its address a password is compared for every phone, or the time would tell for which it is known');
update private.known_client set logged_in_at = now() - interval '30 days';
select is(pg_temp.refused('+12025550199', 'home'), 'LOGIN_FAILURES_PER_IP', 'for 30 days');
update private.known_client set logged_in_at = now();
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 home', 10);
select is(pg_temp.refused('+12025550101', 'home') is not null, true, 'the limit of phone and client refuses known clients too');
delete from platform.rate_limit;
select pg_temp.spend('LOGINS_PER_PHONE:+12025550101', 30);
select is(array[pg_temp.refused('+12025550101', 'home'), pg_temp.refused('+12025550101', 'bot')], array[null, null]::text[],
  'that of successful logins tells nobody but whoever has the password');
select is((select count(*)::integer from platform.rate_limit), 1, 'looking counts nothing');

select * from finish();
rollback;
