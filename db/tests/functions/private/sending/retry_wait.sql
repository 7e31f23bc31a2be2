begin;
select plan(24);
select test.clean_slate();
create function pg_temp.wait(awaited boolean, outcome text, rounds integer, retry_after interval default null, age interval default '0')
returns interval language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
begin
  v_otp := test.queue_otp('+12025550101', 'PHONE', 'LOGIN', awaited, clock_timestamp() - age);
  v_otp.delivery := 'sending';
  perform private.start_attempt(v_otp, p) from generate_series(1, rounds), unnest(private.provider_chain('PHONE', v_otp.identifier)) p;
  return private.retry_wait(v_otp, outcome, retry_after);
end
$$;
-- Over
select is(pg_temp.wait(awaited, outcome, 1), null, 'after ' || outcome || ' there is no other attempt'
  || case when awaited then ' while a request waits' else ' of a reset' end)
from unnest(array['sent', 'refused']) outcome, unnest(array[true, false]) awaited;
select is(private.retry_wait(jsonb_populate_record(o, '{"delivery": "cancelled"}'), 'uncertain', null), null,
  'a delivery that was cancelled meanwhile is not tried again')
from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp()) o;

-- While a request waits
select ok(pg_temp.wait(true, outcome, rounds) between pause and 2 * pause,
  'after round ' || rounds || ' that ended ' || outcome || ' the pause is ' || pause || ' at least and twice that at most')
from unnest(array['unreachable', 'uncertain']) outcome, (values (1, interval '0.2 seconds'), (2, interval '0.4 seconds')) r (rounds, pause);
select is(pg_temp.wait(true, 'uncertain', 3), null, 'after three rounds the request is answered');
select is(pg_temp.wait(true, 'declined', 1), null, 'a vendor that declines would decline again');
select is(pg_temp.wait(true, 'declined', 1, '3 seconds'), interval '3 seconds', 'a vendor''s Retry-After is respected');
select is(pg_temp.wait(true, 'declined', 1, '11 seconds'), null, 'a Retry-After beyond the request''s deadline ends the attempts');
select is(pg_temp.wait(true, 'uncertain', 1, null, '9.9 seconds'), null, 'no attempt begins after the request''s deadline');

-- A reset
select ok(pg_temp.wait(false, outcome, rounds) between pause and 2 * pause,
  'after round ' || rounds || ' of a reset that ended ' || outcome || ' the pause is ' || pause || ' at least and twice that at most')
from unnest(array['declined', 'uncertain']) outcome, (values (1, interval '2 seconds'), (4, interval '16 seconds')) r (rounds, pause);
select is(pg_temp.wait(false, 'declined', 1, '30 seconds'), interval '30 seconds', 'a reset respects Retry-After, too');
select is(pg_temp.wait(false, 'uncertain', 1, null, '299 seconds'), null, 'no attempt begins after a reset''s code has expired');
select test.set_setting('OTP_TTL_SECONDS', '86400');
select is(pg_temp.wait(false, 'uncertain', 30), interval '1 hour', 'a pause is an hour at most');

-- Several providers
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "fallback": ["http"],
  "http": {"url": "https://sms.example"}}');
select is(pg_temp.wait(awaited, 'declined', 0, '1 minute'), interval '0', 'a provider that was not tried is tried at once')
from unnest(array[true, false]) awaited;
select ok(pg_temp.wait(true, 'uncertain', 1) >= interval '0.2 seconds', 'after all were tried there is a pause');
select * from finish();
rollback;
