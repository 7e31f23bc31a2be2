begin;
select plan(4);
select test.clean_slate();
select is(private.provider_chain('PHONE'), array['console'], 'without a fallback there is one provider');
select is(private.provider_chain('EMAIL'), array['smtp'], 'an email is sent by SMTP');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "fallback": ["vonage", "console"],
  "http": {"url": "https://sms.example"}, "vonage": {"from": "Shop"}}');
select is(private.provider_chain('PHONE'), array['http', 'vonage', 'console'], 'providers are tried in the order of fallback');
truncate settings.configuration;
select is(private.provider_chain('EMAIL'), '{}', 'without OTP_PROVIDER nothing is sent, because there is no text');
select * from finish();
rollback;
