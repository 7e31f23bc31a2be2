begin;
select plan(5);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "twilio", "template": "{{code}}", "twilio": {"from": "+12125550100", "channel": "voice"}}');
create function pg_temp.of(channel text, type text default 'PHONE', provider text default 'twilio') returns text language sql as $$
  select private.attempt_channel(o, provider) from jsonb_populate_record(null::platform.otp_transaction,
    jsonb_build_object('identifier', '+12025550101', 'identifier_type', type, 'channel', channel)) o
$$;
select is(pg_temp.of(null), 'voice', 'without a channel it is the provider''s own');
select is(pg_temp.of('sms'), 'sms', 'the one that the request named');
select is(pg_temp.of('whatsapp'), 'voice', 'unless the provider has it not');
select is(pg_temp.of(null, provider => 'vonage'), 'sms', 'another provider sends SMS');
select is(pg_temp.of(null, 'EMAIL'), 'email', 'an email is an email');
select * from finish();
rollback;
