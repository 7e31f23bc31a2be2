begin;
select plan(6);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "fallback": ["console"],
  "http": {"url": "https://sms.example.com"}, "twilio": {"from": "+12125550100"}, "smtp": {"from": "codes@shop.example"}}');
select is(test.call_as('latchkey_worker', 'delivery.providers_in_use() limit 1', null::delivery.provider),
  row('http', '{"url": "https://sms.example.com"}')::delivery.provider, 'the worker reads a provider and its options');
select results_eq('select name, options from delivery.providers_in_use()',
  $$values ('http', '{"url": "https://sms.example.com"}'::jsonb), ('console', '{}')$$,
  'the provider in use comes before its fallback; one without options has empty options; others are not in use');
select test.set_setting('EMAIL_DELIVERY', '"on"');
select results_eq('select name from delivery.providers_in_use() offset 2', array['smtp'], 'smtp is in use while EMAIL_DELIVERY is on');
truncate settings.configuration;
select is_empty('select delivery.providers_in_use()', 'without OTP_PROVIDER no provider is in use');
select function_privs_are('delivery', 'providers_in_use', array[]::text[], 'latchkey_server', array[]::text[],
  'latchkey_server has no EXECUTE on providers_in_use');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "https://sms.example"}, "fallback": ["console"], "routes": {
  "+1": {"providerToUse": "twilio", "twilio": {"from": "+12125550100"}}, "+1876": {"fallback": []},
  "+44": {"providerToUse": "vonage", "fallback": ["http"], "vonage": {"from": "Shop"}, "http": {"url": "https://uk.example"}}}}');
select results_eq('select name, options from delivery.providers_in_use()', $$values ('http', '{"url": "https://sms.example"}'::jsonb), ('console', '{}'),
  ('twilio', '{"from": "+12125550100"}'), ('vonage', '{"from": "Shop"}'), ('http', '{"url": "https://uk.example"}')$$,
  'those of routes are in use, too, once for each options');
select * from finish();
rollback;
