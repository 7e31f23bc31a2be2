begin;
select plan(5);
create function pg_temp.error(wait interval) returns api.error language sql
as $$ select private.rate_limit_error(row('OTP_SEND_PER_IP', 10, interval '1 hour', wait, null, 'OTP_SEND_PER_IP:x')::private.rate_limit_verdict) $$;
select is(pg_temp.error(null), null, 'an allowed request has no error');
select is((pg_temp.error('90 seconds')).code, 'RATE_LIMIT_EXCEEDED', 'a refused request gets RATE_LIMIT_EXCEEDED');
select is((pg_temp.error('90 seconds')).details, '{"policy": "OTP_SEND_PER_IP", "requests": 10, "seconds": 3600, "retryAfterSeconds": 90}',
  'the details contain policy, requests, seconds and retryAfterSeconds');
select is((pg_temp.error('90.000001 seconds')).details ->> 'retryAfterSeconds', '91',
  'retryAfterSeconds is rounded up, so that a retry after that time is allowed');
select is((pg_temp.error('0.000001 seconds')).details ->> 'retryAfterSeconds', '1', 'retryAfterSeconds is at least 1');

select * from finish();
rollback;
