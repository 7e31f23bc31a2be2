begin;
select plan(8);
select test.clean_slate();
select test.make_account('+12025550101');
select private.remember_client(a.id, 'home') from "user".account a;
create function pg_temp.refused_by(phone text, client text) returns text language sql
as $$ select (private.refuse_login(test.password_attempt(phone, client => client))).policy $$;
create function pg_temp.spend(key text, hits integer) returns void language sql
as $$ select test.insert_hits(key, variadic array_fill(clock_timestamp(), array[hits])) $$;

select is(array[pg_temp.refused_by('+12025550101', 'home'), pg_temp.refused_by('+12025550101', 'bot')], array[null, null]::text[],
  'while every limit has room no login is refused');
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE:+12025550101', 100);
select is(pg_temp.refused_by('+12025550101', 'bot'), 'LOGIN_FAILURES_PER_PHONE',
  'a spent LOGIN_FAILURES_PER_PHONE refuses an unknown client');
select is(pg_temp.refused_by('+12025550101', 'home'), null,
  'a spent LOGIN_FAILURES_PER_PHONE does not refuse a known client, whose right password is admitted');
select pg_temp.spend('LOGIN_FAILURES_PER_IP:home', 100);
select is(pg_temp.refused_by('+12025550199', 'home'), null,
  'from a known client''s address no phone is refused, so that the time does not reveal who logged in there');
update private.known_client set logged_in_at = now() - interval '30 days';
select is(pg_temp.refused_by('+12025550199', 'home'), 'LOGIN_FAILURES_PER_IP',
  '30 days after the last login the address is refused');
update private.known_client set logged_in_at = now();
select pg_temp.spend('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 home', 10);
select is(pg_temp.refused_by('+12025550101', 'home') is not null, true,
  'a spent LOGIN_FAILURES_PER_PHONE_AND_IP refuses a known client');
delete from platform.rate_limit;
select pg_temp.spend('LOGINS_PER_PHONE:+12025550101', 30);
select is(array[pg_temp.refused_by('+12025550101', 'home'), pg_temp.refused_by('+12025550101', 'bot')], array[null, null]::text[],
  'a spent LOGINS_PER_PHONE refuses nobody before the comparison, so that a wrong password does not reveal it');
select is((select count(*)::integer from platform.rate_limit), 1, 'refuse_login counts nothing');

select * from finish();
rollback;
