begin;
select plan(7);
select test.clean_slate();
create function pg_temp.seconds(awaited boolean, age interval, variadic tried text[] default '{}') returns numeric language plpgsql
as $$
declare
  v_otp platform.otp_transaction := test.queue_otp('+12025550101', 'PHONE', 'LOGIN', awaited, clock_timestamp() - age);
begin
  perform private.start_attempt(v_otp, p) from unnest(tried) p;
  return extract(epoch from private.delivery_timeout(v_otp));
end
$$;
select is(pg_temp.seconds(false, '1 minute', 'console'), 10.0, 'a reset''s vendor may take ten seconds');
select ok(pg_temp.seconds(true, '4 seconds', 'console') between 4 and 6, 'the only provider may take the time that the request still waits');
select is(pg_temp.seconds(true, '20 seconds', 'console'), 1.0, 'an attempt may always take a second');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "fallback": ["http"],
  "http": {"url": "https://sms.example"}}');
select ok(pg_temp.seconds(true, '2 seconds', 'console') between 3 and 4, 'the first of two providers may take half of the time');
select ok(pg_temp.seconds(true, '2 seconds', 'console', 'http') between 5 and 8, 'the last one may take all of it');
select test.set_setting('OTP_SEND_TIMEOUT_SECONDS', '60');
select is(pg_temp.seconds(true, '0', 'console', 'http'), 10.0, 'no attempt takes more than ten seconds');
select is(pg_temp.seconds(true, '58 seconds', 'console'), 1.0, 'the time that is left is shared');
select * from finish();
rollback;
