begin;
select plan(8);
select test.clean_slate();
select is(private.provider_chain('PHONE', '+12025550101'), array['console'], 'without a fallback there is one provider');
select is(private.provider_chain('EMAIL', 'someone@example.org'), array['smtp'], 'an email is sent by SMTP');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "fallback": ["vonage", "console"],
  "http": {"url": "https://sms.example"}, "vonage": {"from": "Shop"}}');
select is(private.provider_chain('PHONE', '+12025550101'), array['http', 'vonage', 'console'], 'providers are tried in the order of fallback');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "https://sms.example"}, "fallback": ["console"], "routes": {
  "+1": {"providerToUse": "twilio", "twilio": {"from": "+12125550100"}}, "+1876": {"fallback": []},
  "+44": {"providerToUse": "vonage", "fallback": ["http"], "vonage": {"from": "Shop"}, "http": {"url": "https://uk.example"}}}}');
select is(private.provider_chain('PHONE', phone), chain, phone || ' is sent to by its route')
from (values ('+12025550101', array['twilio', 'console']), ('+18765550101', array['http']), ('+447624123456', array['vonage', 'http']), ('+4915112345678', array['http', 'console'])) p (phone, chain);
truncate settings.configuration;
select is(private.provider_chain('EMAIL', 'someone@example.org'), '{}', 'without OTP_PROVIDER nothing is sent, because there is no text');
select * from finish();
rollback;
