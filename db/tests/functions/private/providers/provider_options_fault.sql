begin;
select plan(49);
create function pg_temp.fault(provider text, options jsonb) returns text language sql
as $$ select private.provider_options_fault(provider, options) $$;

select is(pg_temp.fault('twilio', options), null, options::text || ' is valid for twilio')
from (values ('{"from": "+12125550100"}'::jsonb), ('{"from": "+12125550100", "channel": "sms"}'), ('{"from": "+12125550100", "channel": "voice"}'), ('{"messagingServiceSid": "MG0123456789abcdef0123456789abcdef"}')) o (options);
create function pg_temp.content(ids jsonb) returns jsonb language sql
as $$ select replace(ids::text, 'HX', 'HX0123456789abcdef0123456789abcdef')::jsonb $$;
select is(pg_temp.fault('twilio', '{"from": "+12125550100", "channel": "whatsapp"}' || pg_temp.content(ids)),
  'twilio.contentSid must have default.default and PHONE_CHANGED.default while twilio.channel is whatsapp, which delivers only approved templates',
  'WhatsApp with ' || ids::text || ' is invalid: some messages would have no template')
from (values ('{}'::jsonb), ('{"contentSid": {"default": {"default": "HX"}}}'), ('{"contentSid": {"PHONE_CHANGED": {"default": "HX"}}}'),
  ('{"contentSid": {"default": {"de": "HX"}, "PHONE_CHANGED": {"default": "HX"}}}')) o (ids);
select is(pg_temp.fault('twilio', jsonb_build_object('from', '+12125550100', 'channel', channel)
  || pg_temp.content('{"contentSid": {"default": {"default": "HX"}, "PHONE_CHANGED": {"default": "HX"}, "LOGIN": {"de": "HX"}}}')), null,
  'ids of templates are valid for ' || channel)
from unnest(array['whatsapp', 'sms']) channel;
select is(pg_temp.fault('twilio', '{"from": "+12125550100", "contentSid": {"default": {"default": "HX1"}}}'),
  'twilio.contentSid.default.default must be an id such as HX and 32 hexadecimal digits', 'what is no id of a template is invalid, whatever the channel');
select is(pg_temp.fault('twilio', options),
  'twilio.from must be a phone number such as +12125550100; SMS and WhatsApp may have a messagingServiceSid instead',
  options::text || ' is invalid for twilio: nothing names the sender')
from (values ('{}'::jsonb), ('{"from": "Shop"}'), ('{"from": 7}'),
  ('{"messagingServiceSid": "MG0123456789abcdef0123456789abcdef", "channel": "voice"}')) o (options);
select is(pg_temp.fault('twilio', options), 'twilio.messagingServiceSid must be MG and 32 hexadecimal digits',
  options::text || ' is invalid for twilio, which would send with it')
from (values ('{"messagingServiceSid": "MG1"}'::jsonb), ('{"from": "+12125550100", "messagingServiceSid": "MG1"}'),
  ('{"from": "+12125550100", "messagingServiceSid": ""}'), ('{"from": "+12125550100", "messagingServiceSid": null}'),
  ('{"from": "+12125550100", "messagingServiceSid": "PN0123456789abcdef0123456789abcdef", "channel": "voice"}')) o (options);
select is(pg_temp.fault('twilio', '{"from": "+12125550100", "channel": "fax"}'), 'twilio.channel must be one of sms, whatsapp, voice',
  'twilio does not send by fax');
select is(pg_temp.fault('aws-sns', options), null, options::text || ' is valid for aws-sns')
from (values ('{}'::jsonb), ('{"senderId": "My-Shop"}')) o (options);
select is(pg_temp.fault('aws-sns', options), 'aws-sns.senderId must be 1 to 11 letters, digits and hyphens',
  options::text || ' is invalid for aws-sns')
from (values ('{"senderId": "twelve chars"}'::jsonb), ('{"senderId": ""}'), ('{"senderId": null}')) o (options);
select is(pg_temp.fault('vonage', options), null, options::text || ' is valid for vonage')
from (values ('{"from": "My Shop"}'::jsonb), ('{"from": "12125550100"}')) o (options);
select is(pg_temp.fault('vonage', options), 'vonage.from must be a phone number in digits, or 1 to 11 letters, digits and blanks',
  options::text || ' is invalid for vonage')
from (values ('{}'::jsonb), ('{"from": ""}'), ('{"from": "+12125550100"}'), ('{"from": "a long sender"}')) o (options);
select is(pg_temp.fault('smtp', options), null, options::text || ' is valid for smtp')
from (values ('{"from": "codes@shop.example"}'::jsonb), ('{"from": "codes@shop.example", "subject": "Your code: größer"}')) o (options);
select is(pg_temp.fault('smtp', jsonb_build_object('from', 'codes@shop.example', 'subject', repeat('x', 200))), null,
  'a subject of 200 characters is valid for smtp');
select is(pg_temp.fault('smtp', options), 'smtp.from must be the sender''s email address', options::text || ' is invalid for smtp')
from (values ('{}'::jsonb), ('{"from": "shop"}'), ('{"from": "Shop <codes@shop.example>"}'), ('{"from": "a@b\r\nBcc: c@d"}')) o (options);
select is(pg_temp.fault('smtp', '{"from": "codes@shop.example"}' || jsonb_build_object('subject', subject)),
  'smtp.subject must be one line of 200 characters at most', 'a subject ' || description || ' is invalid')
from (values (E'Code\nBcc: eve@example.com', 'of two lines'), (repeat('x', 201), 'of 201 characters')) s (subject, description);
select is(pg_temp.fault('console', '"from"'), 'console must be an object: the options of that provider', 'options that are no object are invalid');
select is(pg_temp.fault(provider, options), fault, options::text || ' is invalid for ' || provider || ', which does not read it')
from (values
  ('vonage', '{"from": "Shop", "channel": "voice"}'::jsonb, 'vonage may have from, entityId, contentId, not channel'),
  ('twilio', '{"from": "+12025550100", "url": "https://x"}', 'twilio may have from, messagingServiceSid, channel, contentSid, not url'),
  ('http', '{"url": "https://sms.example", "channel": "voice"}', 'http may have url, entityId, templateId, not channel'),
  ('aws-sns', '{"from": "Shop"}', 'aws-sns may have senderId, entityId, templateId, not from'),
  ('console', '{"color": true}', 'console may have no member, not color'),
  ('console', jsonb_build_object(repeat('x', 41), 1), 'console may have no member, not ' || repeat('x', 40)),
  ('smtp', '{"from": "codes@shop.example", "to": "eve@example.com"}', 'smtp may have from, subject, not to')
) o (provider, options, fault);

select * from finish();
rollback;
