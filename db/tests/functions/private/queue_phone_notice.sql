begin;
select plan(10);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "templates": {
  "default": {"de": "Code {{code}}"}, "PHONE_CHANGED": {"de": "Neue Nummer"}}}');
select test.make_account('+12025550101');
select private.queue_phone_notice(a, '{de-AT}') from "user".account a;
update "user".account set phone = '+12025550102';
select is((select row(o.delivery, o.awaited, o.counted_at, o.expires_at - o.created_at)::text from test.otp('+12025550101', 'PHONE_CHANGED') o), '(queued,f,,"1 day")',
  'a notice is queued for a day, and counts against no limit');
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
select is((private.current_otp('PHONE', '+12025550101', 'PHONE_CHANGED', (select id from "user".account))).code_hash, null, 'it can verify nothing');

select * from finish();
rollback;
