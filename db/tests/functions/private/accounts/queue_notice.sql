begin;
select plan(27);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "templates": {
  "default": {"de": "Code {{code}}"}, "PHONE_CHANGED": {"de": "Neue Nummer"}}}');
select test.make_account('+12025550101');
select private.queue_notice(a, 'PHONE', a.phone, 'PHONE_CHANGED', '{de-AT}', '192.0.2.1') from "user".account a;
update "user".account set phone = '+12025550102';
select is((select row(o.delivery, o.awaited, o.counted_at = o.created_at, o.expires_at - o.created_at)::text from test.otp('+12025550101', 'PHONE_CHANGED') o), '(queued,f,t,"1 day")',
  'a notice is queued for a day');
select is((select jsonb_object_agg(key, test.hits(key)) from platform.rate_limit), '{"NOTICES_PER_IDENTIFIER:+12025550101": 1}', 'and counts for the phone');
select is((select row(d.purpose, d.verdict, d.client, d.country, d.otp_id = (test.otp('+12025550101', 'PHONE_CHANGED')).id)::text from platform.send_decision d),
  '(PHONE_CHANGED,allowed,192.0.2.1,001,t)', 'the fraud rules have decided about it');
select is(test.count('all', 'hour', now()), '1 0', 'and counted it');
select is((select array_agg(p ->> 'otp_id') from test.queued_payloads() p), array[(test.otp('+12025550101', 'PHONE_CHANGED')).id::text], 'with a job for a worker');
create temp table message on commit drop as select m.* from test.otp('+12025550101', 'PHONE_CHANGED') o, test.issue_code(o.id) m;
select is((select row(recipient, body, channel)::text from message), '(+12025550101,"Neue Nummer",sms)', 'its message is the text for the language, although the phone has no account any more');
select is((select code_hash from test.otp('+12025550101', 'PHONE_CHANGED')), null, 'no code is made');
select ok(test.record_delivery((test.otp('+12025550101', 'PHONE_CHANGED')).id, 'unreachable') is null, 'a failed attempt is repeated later');
select is((select row(o.delivery, m.body)::text from test.otp('+12025550101', 'PHONE_CHANGED') o, test.issue_code(o.id) m), '(queued,"Neue Nummer")', 'with the same text');
select test.record_delivery((test.otp('+12025550101', 'PHONE_CHANGED')).id, 'sent');
select is((select delivery from test.otp('+12025550101', 'PHONE_CHANGED')), 'sent', 'its delivery is recorded');
select is((select array_agg(e.what) from platform.explain_delivery('+12025550101', null) e where e.what ~ 'notice|code'),
  array['The account of this phone changed to another phone. A notice was queued, to tell this one.'], 'the story of the phone shows the change, and mentions no code');
select is((select count(*)::integer from platform.delivery_attempt), 2, 'its attempts are recorded as those of codes');
select is((test.current_otp('PHONE', '+12025550101', 'PHONE_CHANGED', (select id from "user".account))).code_hash, null, 'it can verify nothing');

-- What refuses it
select test.clean_slate();
select test.make_account('+12025550101');
create function pg_temp.notify() returns void language sql as $$ select private.queue_notice(a, 'PHONE', a.phone, 'PHONE_CHANGED', '{}', '192.0.2.1') from "user".account a $$;
create function pg_temp.decisions() returns text[] language sql as $$ select array_agg(concat_ws(' ', d.verdict, d.rule) order by d.id) from platform.send_decision d $$;
select test.set_setting('NOTICES_PER_IDENTIFIER', '"1/3600"');
select pg_temp.notify(), pg_temp.notify();
select is((select count(*)::integer from platform.otp_transaction), 1, 'over the limit of the phone none is queued');
select is(pg_temp.decisions(), array['allowed', 'refused NOTICES_PER_IDENTIFIER'], 'which is recorded');
select is(test.count('all', 'hour', now()), '1 0', 'and not counted');
delete from platform.send_decision; delete from platform.rate_limit; delete from platform.otp_transaction;
select test.set_setting('FRAUD_BUDGET', test.rule('FRAUD_BUDGET', '{"mode": "enforce", "perHour": 1}'));
select pg_temp.notify();
select is((select count(*)::integer from platform.otp_transaction), 0, 'nor is one that a fraud rule refuses');
select is(pg_temp.decisions(), array['refused FRAUD_BUDGET'], 'which is recorded');
select is(test.hits('NOTICES_PER_IDENTIFIER:+12025550101'), 0, 'and given back to the phone');
select test.set_setting('FRAUD_BUDGET', test.rule('FRAUD_BUDGET', '{"mode": "off"}'));
select pg_temp.notify();
select is((select country from platform.send_decision d where d.verdict = 'allowed'), '001', 'the country of a phone that no code was sent to lately is not known');
update platform.send_decision set country = 'US' where verdict = 'allowed';
select test.set_setting('NOTICES_PER_IDENTIFIER', '"5/3600"');
select pg_temp.notify();
select is((select array_agg(country) from platform.send_decision d where d.verdict = 'allowed'), array['US', 'US'], 'otherwise it is that of the latest one');

-- What a thief could suppress it with: codes sent to the phone, by the client, or in the country
select test.clean_slate();
select test.make_account('+12025550101');
select test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now(), now(), now(), now(), now());
select test.set_setting('FRAUD_COOL_DOWN', test.rule('FRAUD_COOL_DOWN', '{"mode": "enforce", "seconds": 60}')),
  test.set_setting('FRAUD_CLIENT', test.rule('FRAUD_CLIENT', '{"mode": "enforce", "minimum": 1, "factor": 1}')),
  test.set_setting('FRAUD_COUNTRY', test.rule('FRAUD_COUNTRY', '{"mode": "enforce", "minimum": 1, "factor": 1}'));
select test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now());
update platform.otp_transaction set delivery = 'sent', current_since = now();
insert into private.send_count select s, 'hour', date_trunc('hour', now(), 'UTC'), 0, 100, 0 from unnest(array['client:192.0.2.1', 'country:001']) s;
select pg_temp.notify();
select is(pg_temp.decisions(), array['allowed'], 'neither the limit of codes nor a rule that codes make refuse keeps the notice back');
select is((select array_agg(o.purpose order by o.id) from platform.otp_transaction o), array['LOGIN', 'PHONE_CHANGED'], 'it is queued');
delete from platform.send_decision;
select test.set_setting('FRAUD_CALLING_CODES', test.rule('FRAUD_CALLING_CODES', '{"mode": "enforce", "blocked": ["+1"]}'));
select pg_temp.notify();
select is(pg_temp.decisions(), array['refused FRAUD_CALLING_CODES'], 'a blocked calling code does');

-- A test number
select test.clean_slate();
select test.make_account('+12025550101');
select test.set_setting('OTP_TEST_NUMBERS', '{"+12025550101": {"code": "424242", "until": "9999-12-31T00:00:00Z"}}');
select pg_temp.notify();
select is((select count(*)::integer from platform.otp_transaction) + (select count(*)::integer from platform.send_decision), 0, 'a test number gets none');
select is((select count(*)::integer from platform.rate_limit), 0, 'and nothing is counted');
select is((select count(*)::integer from test.queued_payloads()), 0, 'and nothing is queued');

select * from finish();
rollback;
