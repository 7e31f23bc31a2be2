begin;
select plan(5);
create function pg_temp.error(wait interval) returns api.error language sql
as $$ select private.rate_limit_error(row('OTP_SEND_PER_IP', 10, interval '1 hour', wait, null)::private.rate_limit_verdict) $$;
select is(pg_temp.error(null), null, 'a request that is allowed has no error');
select is((pg_temp.error('90 seconds')).code, 'RATE_LIMIT_EXCEEDED', 'one that is refused has');
select is((pg_temp.error('90 seconds')).details, '{"policy": "OTP_SEND_PER_IP", "requests": 10, "seconds": 3600, "retryAfterSeconds": 90}',
  'whose details name the policy, its requests and seconds, and the wait');
select is((pg_temp.error('90.000001 seconds')).details ->> 'retryAfterSeconds', '91', 'the wait is rounded up: who waits as long as told is let in');
select is((pg_temp.error('0.000001 seconds')).details ->> 'retryAfterSeconds', '1', 'and is never none');

select * from finish();
rollback;
