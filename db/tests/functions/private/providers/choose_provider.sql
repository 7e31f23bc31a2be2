begin;
select plan(6);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "fallback": ["vonage", "console"],
  "http": {"url": "https://sms.example"}, "vonage": {"from": "Shop"}}');
create temp table otp on commit drop as
  select o as otp from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp()) o;
select is((select private.choose_provider(otp, '{}') from otp), 'http', 'the first attempt is made with providerToUse');
select is((select private.choose_provider(otp, '{http}') from otp), 'vonage', 'a provider that is unavailable is skipped');
select is((select private.choose_provider(otp, '{http,vonage,console}') from otp), 'http',
  'the first provider is chosen where all are unavailable');
select private.start_attempt(otp, 'http') from otp;
select is((select private.choose_provider(otp, '{}') from otp), 'vonage', 'a provider that was not tried comes before one that was');
select is((select private.choose_provider(otp, '{vonage,console}') from otp), 'http',
  'a provider that was tried comes before those that are unavailable');
select private.start_attempt(otp, p) from otp, unnest(array['vonage', 'console']) p;
select is((select private.choose_provider(otp, '{}') from otp), 'http', 'after all were tried the first one is tried again');
select * from finish();
rollback;
