begin;
select plan(3);
create function pg_temp.details(wait interval) returns jsonb language sql
as $$ select private.rate_limit_details(row('OTP_SEND_PER_IP', 10, interval '1 hour', wait, null)::private.rate_limit_verdict) $$;
select is(pg_temp.details('90 seconds'), '{"policy": "OTP_SEND_PER_IP", "requests": 10, "seconds": 3600, "retryAfterSeconds": 90}',
  'the details name the policy, its requests and seconds, and the wait');
select is(pg_temp.details('90.000001 seconds') ->> 'retryAfterSeconds', '91', 'the wait is rounded up: who waits as long as told is let in');
select is(pg_temp.details('0.000001 seconds') ->> 'retryAfterSeconds', '1', 'and is never none');

select * from finish();
rollback;
