begin;
select plan(8);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "twilio", "template": "{{code}}", "twilio": {"from": "+12125550100"}, "routes": {"+49": {"providerToUse": "vonage", "vonage": {"from": "Latchkey"}}}}');
create function pg_temp.error(channel text, phone text default '+12025550101', type text default 'PHONE') returns text language sql
as $$ select (private.channel_error(channel, type, phone)).details ->> 'reason' $$;
select is(pg_temp.error(null), null, 'no channel is always right');
select is(pg_temp.error('sms'), null, 'sms is, as OTP_CHANNELS is set up');
select is(pg_temp.error('voice'), 'channel_not_allowed', 'another is not, although the provider has it');
select test.set_setting('OTP_CHANNELS', '["voice", "whatsapp"]');
select is(pg_temp.error('voice'), null, 'a change of OTP_CHANNELS applies at once');
select is(pg_temp.error('sms'), 'channel_not_allowed', 'to each channel');
select is(pg_temp.error('whatsapp'), 'channel_not_allowed', 'a channel that no provider has is refused');
select is(pg_temp.error('voice', '+4915112345678'), 'channel_not_allowed', 'also where only the route of the phone has it not');
select is(pg_temp.error('voice', 'ada@example.com', 'EMAIL'), 'channel_not_allowed', 'an email has none');
select * from finish();
rollback;
