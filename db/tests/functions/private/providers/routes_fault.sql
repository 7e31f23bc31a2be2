begin;
select plan(21);
create function pg_temp.fault(routes jsonb) returns text language sql as $$
  select private.provider_fault(jsonb_build_object('providerToUse', 'console', 'template', '{{code}}', 'fallback', jsonb '["http"]', 'http', jsonb '{"url": "https://x"}', 'routes', routes))
$$;
select is(pg_temp.fault(routes::jsonb), null, routes || ' are valid')
from (values ('{}'), ('{"+91": {}}'), ('{"+44": {"providerToUse": "twilio", "twilio": {"from": "+12125550100"}}, "+447624": {"fallback": []}}'),
  ('{"+44762412": {"http": {"url": "https://y"}}}'), ('{"+1": {"providerToUse": "http", "fallback": ["console"]}}')) r (routes);
select is(pg_temp.fault(routes::jsonb), fault, routes || ' are not')
from (values
  ('[]', 'routes must be an object of calling codes, such as {"+91": {…}}'), ('null', 'routes must be an object of calling codes, such as {"+91": {…}}'),
  ('{"91": {}}', 'routes.91: is no calling code of 1 to 8 digits, such as +91'), ('{"+0": {}}', 'routes.+0: is no calling code of 1 to 8 digits, such as +91'),
  ('{"+447624123": {}}', 'routes.+447624123: is no calling code of 1 to 8 digits, such as +91'),
  ('{"1234567890123456789012345678901234567890123": {}}', 'routes.1234567890123456789012345678901234567890: is no calling code of 1 to 8 digits, such as +91'), ('{"IN": {}}', 'routes.IN: is no calling code of 1 to 8 digits, such as +91'),
  ('{"+91": []}', 'routes.+91: must be an object with members of OTP_PROVIDER'),
  ('{"+91": {"template": "{{code}}"}}', 'routes.+91: may have providerToUse, fallback, console, http, twilio, aws-sns, vonage'),
  ('{"+91": {"routes": {}}}', 'routes.+91: may have providerToUse, fallback, console, http, twilio, aws-sns, vonage'),
  ('{"+91": {"providerToUse": "pigeon"}}', 'routes.+91: providerToUse must be one of console, http, twilio, aws-sns, vonage'),
  ('{"+91": {"providerToUse": "twilio"}}', 'routes.+91: twilio.from must be a phone number such as +12125550100; SMS and WhatsApp may have a messagingServiceSid instead'),
  ('{"+91": {"providerToUse": "http"}}', 'routes.+91: fallback must name each provider once, and not that of providerToUse'),
  ('{"+1": {}, "+91": {"http": {"url": "x"}}}', 'routes.+91: http.url must be an http or https address, without a user and password')
) r (routes, fault);
select is(pg_temp.fault((select jsonb_object_agg('+' || n, jsonb '{}') from generate_series(100, 199) n)), null, 'a record may have a hundred routes');
select is(pg_temp.fault((select jsonb_object_agg('+' || n, jsonb '{}') from generate_series(100, 200) n)), 'routes may have 100 calling codes at most', 'and no more');
select * from finish();
rollback;
