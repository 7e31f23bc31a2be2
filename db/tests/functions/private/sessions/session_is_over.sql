begin;
select plan(9);
select test.clean_slate();
select test.open_session(null);
create function pg_temp.is_over(opened interval, refreshed interval) returns boolean language plpgsql
as $$
declare
  v_session "user".session;
begin
  select s.* into v_session from "user".session s;
  v_session.created_at := clock_timestamp() - opened;
  v_session.rotated_at := clock_timestamp() - refreshed;
  return private.session_is_over(v_session);
end
$$;

select is(pg_temp.is_over('10 years', null), null, 'without limits no session is over');
select test.set_setting('SESSION_MAX_SECONDS', '3600');
select is(pg_temp.is_over('59 minutes', null), false, 'a session younger than SESSION_MAX_SECONDS is not over');
select is(pg_temp.is_over('1 hour', '1 second'), true, 'one as old is over, refreshed or not');
select test.set_setting('SESSION_MAX_SECONDS', '"off"'), test.set_setting('SESSION_IDLE_SECONDS', '3600');
select is(pg_temp.is_over('1 year', '59 minutes'), false, 'a session refreshed within SESSION_IDLE_SECONDS is not over');
select is(pg_temp.is_over('1 year', '1 hour'), true, 'one refreshed so long ago is over');
select is(pg_temp.is_over('59 minutes', null), false, 'until the first refresh the opening counts');
select is(pg_temp.is_over('1 hour', null), true, 'and ends a session that was never refreshed');
select test.set_setting('SESSION_MAX_SECONDS', '60');
select is(pg_temp.is_over('1 minute', '1 second'), true, 'with both limits the first one is enough');
select is(pg_temp.is_over('59 seconds', '1 second'), false, 'and before both a session is not over');

select * from finish();
rollback;
