begin;
select plan(57);
create function pg_temp.fault(change jsonb) returns text language sql
as $$ select private.provider_fault('{"providerToUse": "console", "template": "Code {{code}}"}' || change) $$;
select is(pg_temp.fault('{}'), null, 'console is a valid provider');
select is(pg_temp.fault(jsonb_build_object('providerToUse', 'http', 'http', jsonb_build_object('url', url))), null,
  'http may post to ' || url)
from (values ('https://gateway.example/sms'), ('http://127.0.0.1:8080'), ('https://gateway.example?key=a@b'), ('http://[::1]:8080/sms')) u (url);
select is(pg_temp.fault(jsonb_build_object('providerToUse', provider)), 'providerToUse must be one of console, http, twilio, aws-sns, vonage',
  '"' || provider || '" is not a valid provider')
from (values ('pigeon'), ('sns'), (''), ('Console'), ('console ')) p (provider);
select is(pg_temp.fault('{"providerToUse": null}'), 'providerToUse must be one of console, http, twilio, aws-sns, vonage',
  'a record without a provider is invalid');
select is(private.provider_fault(value::jsonb), 'must be an object with providerToUse and template',
  'the JSON value ' || value || ' is not a valid record')
from (values ('null'), ('"console"'), ('[]'), ('7'), ('true')) v (value);
select is(private.provider_fault('{"providerToUse": "console"}'), 'template must be a text that holds {{code}}',
  'a record without a template is invalid');
select is(pg_temp.fault(jsonb_build_object('template', template)), 'template must be a text that holds {{code}}',
  template::text || ' is not a valid template')
from (values ('"Code"'::jsonb), ('""'), ('7'), ('null'), ('["{{code}}"]'), ('"{{ code }}"')) t (template);
select is(pg_temp.fault(jsonb_build_object('template', repeat('x', 992) || '{{code}}')), null,
  'a template of 1000 characters is valid');
select is(pg_temp.fault(jsonb_build_object('template', repeat('x', 993) || '{{code}}')), 'template must be 1000 characters at most',
  'a template of 1001 characters is invalid');
select is(pg_temp.fault('{"templates": {"LOGIN": {"de": "{{code}}"}, "default": {"default": "{{code}}"}}}'), null, 'texts by purpose and locale are valid');
select is(pg_temp.fault('{"templates": {"LOGIN": {"de": "Code"}}}'), 'templates.LOGIN.de must be a text that holds {{code}}',
  'a text by purpose and locale without a code is invalid');
select is(pg_temp.fault('{"console": "from"}'), 'console must be an object: the options of that provider',
  'options that are no object are invalid');
select is(pg_temp.fault('{"providerToUse": "http"}'), 'http.url must be an http or https address, without a user and password',
  'the provider http needs a URL');
select is(pg_temp.fault(jsonb_build_object('providerToUse', 'http', 'http', jsonb_build_object('url', url))),
  'http.url must be an http or https address, without a user and password',
  '"' || url || '" is not a valid URL for http')
from (values ('ftp://gateway.example'), ('gateway.example'), ('https://'), ('javascript://x'),
  (' https://x'), ('https://x y'), ('https://:8080/x'), ('https://x:port/'), ('https://user:word@x/')) u (url);

-- Fallback
create function pg_temp.fallback_fault(fallback jsonb) returns text language sql
as $$ select pg_temp.fault(jsonb_build_object('fallback', fallback, 'http', '{"url": "https://x"}'::jsonb)) $$;
select is(pg_temp.fallback_fault(fallback), null, fallback::text || ' is a valid fallback')
from (values ('[]'::jsonb), ('["http"]'), ('["aws-sns", "http"]')) f (fallback);
select is(pg_temp.fallback_fault('"http"'), 'fallback must be an array of provider names', 'a fallback that is no array is invalid');
select is(pg_temp.fallback_fault(fallback), 'fallback may name console, http, twilio, aws-sns, vonage', fallback::text || ' is an invalid fallback')
from (values ('["pigeon"]'::jsonb), ('["smtp"]'), ('[null]'), ('[7]'), ('[["http"]]')) f (fallback);
select is(pg_temp.fallback_fault(fallback), 'fallback must name each provider once, and not that of providerToUse',
  fallback::text || ' is an invalid fallback')
from (values ('["console"]'::jsonb), ('["http", "http"]')) f (fallback);
select is(pg_temp.fallback_fault('["vonage"]'), 'vonage.from must be a phone number in digits, or 1 to 11 letters, digits and blanks',
  'the options of a fallback are checked, too');
select is(pg_temp.fallback_fault('["vonage", "http"]'), 'vonage.from must be a phone number in digits, or 1 to 11 letters, digits and blanks',
  'also those of one that is followed by a valid one');
select is(pg_temp.fault('{"smtp": {}}'), 'smtp.from must be the sender''s email address', 'the options of smtp are checked where there are any');
select is(pg_temp.fault(jsonb_build_object(provider, options)), fault, provider || ' is checked although nothing sends by it')
from (values
  ('twilio', '{"from": "+12125550100", "authToken": "secret"}'::jsonb, 'twilio may have from, messagingServiceSid, channel, contentSid, not authToken'),
  ('http', '{}', 'http.url must be an http or https address, without a user and password'),
  ('vonage', 'null', 'vonage must be an object: the options of that provider')
) o (provider, options, fault);

-- Misspelled members
select is(pg_temp.fault(jsonb_build_object(member, '["http"]'::jsonb)),
  'may have providerToUse, template, templates, fallback, routes, smtp, console, http, twilio, aws-sns, vonage, not ' || left(member, 40),
  'a member that nothing reads is refused, so that no misspelled option is lost: ' || left(member, 40))
from (values ('fallbacks'), (repeat('x', 50))) m (member);

select * from finish();
rollback;
