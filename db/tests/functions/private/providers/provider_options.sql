begin;
select plan(5);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "https://sms.example"}}');
select is(private.provider_options('http', '+12025550101'), '{"url": "https://sms.example"}', 'a provider has the options under its name');
select is(private.provider_options('console', '+12025550101'), '{}', 'a provider without options has empty ones');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "https://sms.example"}, "fallback": ["console"], "routes": {
  "+1": {"providerToUse": "twilio", "twilio": {"from": "+12125550100"}}, "+1876": {"fallback": []},
  "+44": {"providerToUse": "vonage", "fallback": ["http"], "vonage": {"from": "Shop"}, "http": {"url": "https://uk.example"}}}}');
select is(private.provider_options('http', '+447624123456'), '{"url": "https://uk.example"}', 'a phone with a route has its options');
select is(private.provider_options('http', '+12025550101'), '{"url": "https://sms.example"}', 'or those of the record where it has none');
truncate settings.configuration;
select is(private.provider_options('http', '+12025550101'), '{}', 'without OTP_PROVIDER there are no options');
select * from finish();
rollback;
