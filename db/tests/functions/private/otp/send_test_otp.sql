begin;
select plan(7);
select test.clean_slate();
select test.set_setting('OTP_SEND_PER_IP', '"2/3600"');
select test.set_setting('OTP_SEND_PER_IDENTIFIER', '"1/3600"');
create function pg_temp.send(client text default '192.0.2.1') returns api.otp_answer language sql
as $$ select private.send_test_otp(test.send_request('+12025550101', client => client), '424242') $$;
create temp table sent on commit drop as select s.* from pg_temp.send() s;
select results_eq('select otp_id, expires_at, wait_seconds from sent', 'select id, expires_at, null::numeric from platform.otp_transaction', 'the fixed code is stored, and nobody waits');
select is((pg_temp.send()).error, null, 'it counts for no limit of the number');
select is(((pg_temp.send()).error).details ->> 'policy', 'OTP_SEND_PER_IP', 'it counts for the client');
select is((select count(*)::integer from platform.otp_transaction), 1, 'which has made one row');
select is((pg_temp.send('192.0.2.2')).error, null, 'another client has its own limit');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'nothing is sent');
select is((select count(*)::integer from platform.send_decision), 0, 'so nothing is decided');

select * from finish();
rollback;
