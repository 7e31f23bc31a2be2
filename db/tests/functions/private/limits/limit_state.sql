begin;
select plan(6);
select test.clean_slate();
create function pg_temp.state(key text, subject text) returns text language sql as $$
  select concat_ws(' ', s.policy, coalesce(s.client, '-'), s.counted || '/' || s.requests, s.period_seconds,
    coalesce(round(extract(epoch from s.blocked_until - clock_timestamp()) / 60)::text, 'free'))
  from platform.rate_limit l, private.limit_state(l, state.subject) s where l.key = state.key and s.policy is not null $$;
select test.set_setting('LOGINS_PER_PHONE', '"3/3600"'), test.set_setting('LOGIN_FAILURES_PER_PHONE_AND_IP', '"3/3600"');
select test.insert_hits('LOGINS_PER_PHONE:+12025550101', clock_timestamp() - interval '2 hours', clock_timestamp() - interval '30 minutes',
  clock_timestamp() - interval '1 minute');
select is(pg_temp.state('LOGINS_PER_PHONE:+12025550101', '+12025550101'), 'LOGINS_PER_PHONE - 2/3 3600 free', 'only what is within the period counts');
select test.insert_hits('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1', clock_timestamp() - interval '30 minutes',
  clock_timestamp() - interval '2 minutes', clock_timestamp() - interval '1 minute');
select is(pg_temp.state('LOGIN_FAILURES_PER_PHONE_AND_IP:+12025550101 192.0.2.1', '+12025550101'),
  'LOGIN_FAILURES_PER_PHONE_AND_IP 192.0.2.1 3/3 3600 30', 'a full window shows its client, and when it has room again');
select test.insert_hits('LOGINS_PER_PHONE:+12025550102', clock_timestamp() - interval '2 hours');
select is(pg_temp.state('LOGINS_PER_PHONE:+12025550102', '+12025550102') , null, 'a window that counts nothing any more is null');
insert into platform.rate_limit (key) values ('LOGINS_PER_PHONE:+12025550103');
select is(pg_temp.state('LOGINS_PER_PHONE:+12025550103', '+12025550103') , null, 'a window without hits is null');
select test.set_setting('LOGINS_PER_PHONE', '"off"');
select is(pg_temp.state('LOGINS_PER_PHONE:+12025550101', '+12025550101') , null, 'a limit that is off is null');
select is((private.limit_state(l, '192.0.2.1')).policy, null, 'it is all null then') from platform.rate_limit l where l.key = 'LOGINS_PER_PHONE:+12025550101';

select * from finish();
rollback;
