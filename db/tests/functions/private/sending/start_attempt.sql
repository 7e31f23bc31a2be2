begin;
select plan(12);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "twilio", "template": "{{code}}", "fallback": ["console"],
  "twilio": {"from": "+12125550100", "channel": "voice"}}');
create temp table otp on commit drop as
  select o as otp from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp()) o;
create temp table first on commit drop as select a.* from otp, private.start_attempt(otp, 'twilio') a;
select results_eq('select * from platform.delivery_attempt', 'select * from first', 'start_attempt returns the row that it stored');
select is((select row(otp_id, provider, channel, outcome)::text from first), (select row((otp).id, 'twilio', 'voice', null)::text from otp),
  'an attempt has its one-time password, provider and channel, and no outcome yet');
update platform.otp_transaction set delivery = 'sending';
select is((select a.channel from platform.otp_transaction o, private.start_attempt(o, 'console') a), 'sms', 'the channel is sms where the options name none');
select is((select row(a.outcome, a.vendor_error)::text from platform.delivery_attempt a join first using (id)),
  '(uncertain,"the worker stopped")', 'an attempt that its worker did not finish is uncertain');
update platform.delivery_attempt set outcome = 'declined', vendor_error = 'HTTP 429';
create temp table mail on commit drop as
  select a.* from test.queue_otp('someone@example.org', 'EMAIL', 'LOGIN', true, clock_timestamp()) o, private.start_attempt(o, 'smtp') a;
select is((select channel from mail), 'email', 'the channel of an email address is email');
select private.start_attempt(o, 'twilio') from platform.otp_transaction o where o.id = (select (otp).id from otp);
select is((select array_agg(distinct outcome) from platform.delivery_attempt where otp_id = (select (otp).id from otp) and outcome is not null),
  array['declined'], 'the outcome of a finished attempt stays');
-- Of several the newest decides
update platform.delivery_attempt a set started_at = started_at + interval '1 hour' where a.id = (select id from first);
select is((select a.started_at - f.started_at from platform.otp_transaction o, private.start_attempt(o, 'twilio') a, platform.delivery_attempt f
  where o.id = (select (otp).id from otp) and f.id = (select id from first)), interval '1 microsecond',
  'an attempt is later than the ones before it, also if the clock was set back');
select throws_ok($$update platform.delivery_attempt set channel = 'fax'$$, '23514', null, 'no attempt has a channel that nothing sends by');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "https://sms.example"}, "routes": {"+44": {"providerToUse": "twilio", "twilio": {"from": "+12125550100", "channel": "voice"}}}}');
select is((select row(a.provider, a.channel, a.route)::text from test.queue_otp(phone, 'PHONE', 'LOGIN', true, clock_timestamp()) o, private.start_attempt(o, private.choose_provider(o, '{}')) a),
  attempt, phone || ' is sent to by the provider and channel of its route, which the attempt names')
from (values ('+447624123456', '(twilio,voice,+44)'), ('+4915112345678', '(http,sms,)')) p (phone, attempt);
-- Traces
create function pg_temp.trace_of_next() returns text language sql
as $$ select (private.start_attempt(o, 'http')).trace from test.queue_otp('+12025550177', 'PHONE', 'LOGIN', true, clock_timestamp()) o $$;
select is(pg_temp.trace_of_next(), null, 'without a trace none is stored');
set local latchkey.request to '{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}';
select is(pg_temp.trace_of_next(), '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'an attempt has the trace of the worker that makes it');
select * from finish();
rollback;
