begin;
select plan(8);
select test.clean_slate();
create function pg_temp.ends(age interval default '0') returns text language sql
as $$
  select test.seconds_until(e.access_token) || ' ' || test.seconds_until(e.refresh_token)
  from private.session_ends(clock_timestamp() - age) e
$$;

select is(pg_temp.ends('10 years'), '3600 2592000', 'without limits both lifetimes start now, however old the session is');
select test.set_setting('SESSION_IDLE_SECONDS', '7200');
select is(pg_temp.ends('10 years'), '3600 7200', 'SESSION_IDLE_SECONDS shortens the session, from now');
select test.set_setting('SESSION_IDLE_SECONDS', '600');
select is(pg_temp.ends(), '600 600', 'no access token outlives its session');
select test.set_setting('SESSION_MAX_SECONDS', '900');
select is(pg_temp.ends('10 minutes'), '300 300', 'SESSION_MAX_SECONDS counts from the opening');
select is(pg_temp.ends('1 minute'), '600 600', 'of several limits the earliest counts');
select test.set_setting('SESSION_IDLE_SECONDS', '"off"');
select is(pg_temp.ends('10 minutes'), '300 300', 'one limit works without the other');
select test.set_setting('SESSION_MAX_SECONDS', '315360000');
select is(pg_temp.ends(), '3600 2592000', 'a limit beyond the lifetimes changes nothing');

select is((select array[e.access_token, e.refresh_token] from private.session_ends(now()) e where extract(microseconds from e.access_token) % 1000000 + extract(microseconds from e.refresh_token) % 1000000 <> 0),
  null, 'both are whole seconds');

select * from finish();
rollback;
