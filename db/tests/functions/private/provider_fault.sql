begin;
select plan(58);
create function pg_temp.fault(change jsonb) returns text language sql
as $$ select private.provider_fault('{"providerToUse": "console", "template": "Code {{code}}"}' || change) $$;
select is(pg_temp.fault('{}'), null, 'console is a provider');
select is(pg_temp.fault(jsonb_build_object('providerToUse', 'http', 'http', jsonb_build_object('url', url))), null, 'http may post to ' || url)
from (values ('https://gateway.example/sms'), ('http://127.0.0.1:8080'), ('https://gateway.example?key=a@b'), ('http://[::1]:8080/sms')) u (url);
select is(pg_temp.fault(jsonb_build_object('providerToUse', provider)), 'providerToUse must be one of console, http, twilio, aws-sns, vonage',
  'no provider is ' || provider)
from (values ('pigeon'), ('sns'), (''), ('Console'), ('console ')) p (provider);
select is(pg_temp.fault('{"providerToUse": null}'), 'providerToUse must be one of console, http, twilio, aws-sns, vonage', 'a record names a provider');
select is(private.provider_fault(value::jsonb), 'must be an object with providerToUse and template', 'no record is ' || value)
from (values ('null'), ('"console"'), ('[]'), ('7'), ('true')) v (value);
select is(private.provider_fault('{"providerToUse": "console"}'), 'template must be a text that holds {{code}}', 'a record has a template');
select is(pg_temp.fault(jsonb_build_object('template', template)), 'template must be a text that holds {{code}}', 'that is a text with {{code}}, not ' || template::text)
from (values ('"Code"'::jsonb), ('""'), ('7'), ('null'), ('["{{code}}"]'), ('"{{ code }}"')) t (template);
select is(pg_temp.fault(jsonb_build_object('template', repeat('x', 992) || '{{code}}')), null, 'a template has 1000 characters');
select is(pg_temp.fault(jsonb_build_object('template', repeat('x', 993) || '{{code}}')), 'template must be 1000 characters at most', 'and no more');
select is(pg_temp.fault('{"console": "from"}'), 'console must be an object: the options of that provider',
  'a provider''s options are an object');
select is(pg_temp.fault('{"providerToUse": "http"}'), 'http.url must be an http or https address, without a user and password', 'http needs an address');
select is(pg_temp.fault(jsonb_build_object('providerToUse', 'http', 'http', jsonb_build_object('url', url))), 'http.url must be an http or https address, without a user and password',
  'which is not ' || url)
from (values ('ftp://gateway.example'), ('gateway.example'), ('https://'), ('javascript://x'), (' https://x'), ('https://x y'), ('https://:8080/x'), ('https://x:port/'), ('https://user:word@x/')) u (url);

create function pg_temp.fault_of(provider text, options jsonb) returns text language sql
as $$ select pg_temp.fault(jsonb_build_object('providerToUse', provider, provider, options)) $$;
select is(pg_temp.fault_of('twilio', options), null, 'twilio may send with ' || options::text)
from (values ('{"from": "+12125550100"}'::jsonb), ('{"from": "+12125550100", "channel": "sms"}'), ('{"from": "+12125550100", "channel": "whatsapp"}'),
  ('{"from": "+12125550100", "channel": "voice"}'), ('{"messagingServiceSid": "MG0123456789abcdef0123456789abcdef"}')) o (options);
select is(pg_temp.fault_of('twilio', options),
  'twilio.from must be a phone number such as +12125550100; SMS and WhatsApp may have a messagingServiceSid instead', 'twilio cannot send with ' || options::text)
from (values ('{}'::jsonb), ('{"from": "Shop"}'), ('{"from": 7}'), ('{"messagingServiceSid": "MG1"}'),
  ('{"messagingServiceSid": "MG0123456789abcdef0123456789abcdef", "channel": "voice"}')) o (options);
select is(pg_temp.fault_of('twilio', '{"from": "+12125550100", "channel": "fax"}'), 'twilio.channel must be one of sms, whatsapp, voice',
  'twilio has no channel fax');
select is(pg_temp.fault_of('aws-sns', options), null, 'aws-sns may send with ' || options::text)
from (values ('{}'::jsonb), ('{"senderId": "My-Shop"}')) o (options);
select is(pg_temp.fault_of('aws-sns', options), 'aws-sns.senderId must be 1 to 11 letters, digits and hyphens', 'aws-sns cannot send with ' || options::text)
from (values ('{"senderId": "twelve chars"}'::jsonb), ('{"senderId": ""}'), ('{"senderId": null}')) o (options);
select is(pg_temp.fault_of('vonage', options), null, 'vonage may send with ' || options::text)
from (values ('{"from": "My Shop"}'::jsonb), ('{"from": "12125550100"}')) o (options);
select is(pg_temp.fault_of('vonage', options), 'vonage.from must be a phone number in digits, or 1 to 11 letters, digits and blanks',
  'vonage cannot send with ' || options::text)
from (values ('{}'::jsonb), ('{"from": ""}'), ('{"from": "+12125550100"}'), ('{"from": "a long sender"}')) o (options);

select * from finish();
rollback;
