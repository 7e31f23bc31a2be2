begin;
select plan(4);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "vonage", "fallback": ["twilio"], "template": "{{code}}", "vonage": {"from": "Latchkey"}, "twilio": {"from": "+12125550100"}}');
create function pg_temp.chain(channel text) returns text[] language sql as $$
  select private.provider_chain_of(o) from jsonb_populate_record(null::platform.otp_transaction,
    jsonb_build_object('identifier', '+12025550101', 'identifier_type', 'PHONE', 'channel', channel)) o
$$;
select is(pg_temp.chain(null), array['vonage', 'twilio'], 'without a channel all providers are tried');
select is(pg_temp.chain('sms'), array['vonage', 'twilio'], 'all that have it');
select is(pg_temp.chain('voice'), array['twilio'], 'no other');
select is(pg_temp.chain('whatsapp'), array['vonage', 'twilio'], 'all where none has it any more: the code arrives all the same');
select * from finish();
rollback;
