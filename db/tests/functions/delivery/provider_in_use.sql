begin;
select plan(4);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "https://sms.example.com"}, "console": {}}');
select is(test.call_as('latchkey_worker', 'delivery.provider_in_use()', null::delivery.provider),
  row('http', '{"url": "https://sms.example.com"}')::delivery.provider, 'the worker learns the provider and its options, and nothing else of the record');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
select is(delivery.provider_in_use(), row('console', '{}')::delivery.provider, 'a provider without options has empty ones');
delete from settings.configuration where key = 'OTP_PROVIDER';
select is(delivery.provider_in_use(), null::delivery.provider, 'where none is set there is none');
select function_privs_are('delivery', 'provider_in_use', array[]::text[], 'latchkey_server', array[]::text[], 'the server has no use for it');
select * from finish();
rollback;
