begin;
select plan(4);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER',
  '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "https://sms.example.com"}, "console": {}}');
select is(test.call_as('latchkey_worker', 'delivery.provider_in_use()', null::delivery.provider),
  row('http', '{"url": "https://sms.example.com"}')::delivery.provider,
  'the worker reads the provider and that provider''s options only');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
select is(delivery.provider_in_use(), row('console', '{}')::delivery.provider, 'a provider without options has empty options');
delete from settings.configuration where key = 'OTP_PROVIDER';
select is(delivery.provider_in_use(), null::delivery.provider, 'without OTP_PROVIDER the result is null');
select function_privs_are('delivery', 'provider_in_use', array[]::text[], 'latchkey_server', array[]::text[],
  'latchkey_server has no EXECUTE on provider_in_use');
select * from finish();
rollback;
