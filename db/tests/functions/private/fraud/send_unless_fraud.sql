begin;
select plan(16);
select test.clean_slate();
create function pg_temp.send(purpose text default 'LOGIN', awaited boolean default true) returns text language sql as $$
  select row((a.error).code, (a.error).details ->> 'policy', a.otp_id is not null, a.wait_seconds)::text
  from private.send_unless_fraud(test.send_request('+12025550101', purpose => purpose, awaited => awaited, counted_at => now())) a
$$;
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now());
select is(pg_temp.send(), '(,,t,10)', 'a message that no rule refuses is queued, and waited for');
select is((select count(*)::integer from test.queued_payloads() p join platform.send_decision d on d.otp_id = (p ->> 'otp_id')::uuid), 1, 'its decision names it');
select is(test.count('all', 'hour', now()), '1 0', 'and it is counted');
select is(pg_temp.send('PASSWORD_RESET', false), '(,,t,)', 'nobody waits for a reset');
select test.set_setting('FRAUD_BUDGET', test.rule('FRAUD_BUDGET', '{"mode": "enforce", "perHour": 1}'));
select is(pg_temp.send('PASSWORD_RESET', false), '(RATE_LIMIT_EXCEEDED,FRAUD_BUDGET,f,)', 'a rule in mode "enforce" refuses');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 1, 'a reset that nobody awaits is not given back to the phone');
set local latchkey.request to '{"request_id": "one"}';
select is(pg_temp.send('PASSWORD_RESET'), '(RATE_LIMIT_EXCEEDED,FRAUD_BUDGET,f,)', 'so is one of the route that waits');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'which is given back, as any other');
select is((select array_agg(d.verdict || ' ' || (d.otp_id is not null) order by d.id) from platform.send_decision d),
  array['allowed true', 'allowed true', 'refused false', 'refused false'], 'a refusal is recorded, and names no one-time password');
select is(test.count('all', 'hour', now()), '2 0', 'and not counted');
select is((select array_agg(d.verdict || coalesce(' ' || d.request_id, '') order by d.id) from platform.send_decision d),
  array['allowed', 'allowed', 'refused', 'refused one'], 'it has the id of its request');

-- The application's hook comes first.
select test.set_setting('FRAUD_BUDGET', test.rule('FRAUD_BUDGET', '{"mode": "off"}'));
create function hook.before_send(phone text, purpose text, client text) returns text language sql as $$ select 'not now' where purpose <> 'SIGNUP' $$;
delete from platform.rate_limit;
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now());
select is((private.send_unless_fraud(test.send_request('+12025550101', counted_at => now()))).error,
  private.error('INVALID_REQUEST', '{"reason": "refused_by_hook", "hookReason": "not now"}'), 'the application''s hook refuses');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'the phone''s limit gets it back');
select is((select count(*)::integer from platform.send_decision), 4, 'no decision is recorded');
select is((select count(*)::integer from test.queued_payloads()), 2, 'and nothing is queued');
select is(pg_temp.send('SIGNUP'), '(,,t,10)', 'what the hook lets pass is queued');

select * from finish();
rollback;
