begin;
select plan(5);
select test.clean_slate();
delete from private.worker_heartbeat;
create function pg_temp.counters() returns text language sql as $$
  select concat_ws(' ', c.sent, c.verified, c.refused, c.waiting, c.signed_in, c.registered, c.workers) from platform.count_live() c $$;
select is(pg_temp.counters(), '0 0 0 0 0 0 0', 'of an empty database everything is zero');
select test.open_session(test.make_account('+12025550101')), test.open_session(null), test.open_session(null), test.make_decision(), test.make_decision(),
  test.make_decision(jsonb_build_object('verdict', 'refused', 'rule', 'FRAUD_BUDGET', 'otp_id', null, 'at', date_trunc('hour', now(), 'UTC'))), delivery.heartbeat('one', true), delivery.heartbeat('two', true),
  test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp());
update private.worker_heartbeat set at = at - interval '1 minute' where worker = 'two';
insert into private.send_count values ('all', 'hour', date_trunc('hour', now(), 'UTC'), 0, 7, 4), ('all', 'hour', date_trunc('hour', now(), 'UTC'), 1, 1, 1),
  ('all', 'hour', date_trunc('hour', now(), 'UTC') - interval '1 hour', 0, 100, 100);
select is(pg_temp.counters(), '8 5 1 1 1 1 1', 'it counts this hour, users'' sessions and live workers');
insert into "user".account (id, phone, phone_verified_at) values ('00000000-0000-7000-8000-000000000001', '+12025550102', now());
select test.age_otps('1 hour');
select is(pg_temp.counters(), '8 5 1 0 1 1 1', 'what is older is not counted');
select is((test.call_as('latchkey_admin', 'platform.count_live()', null::platform.live_count)).sent, 8, 'the admin may read it');

-- No more than the latest 10,000 rows are read.
insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, rule)
select gen_random_uuid(), clock_timestamp(), '+12025', 'US', '192.0.2.1', 'LOGIN', 'refused', 'FRAUD_BUDGET' from generate_series(1, 10001);
select is((select c.refused from platform.count_live() c), 10000, 'it reads 10,000 rows of a table, however many there are');

select * from finish();
rollback;
