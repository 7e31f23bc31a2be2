begin;
select plan(20);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}} is your code, {{code}}; {{minutes}} min {other}",
  "http": {"url": "https://gateway.example"}, "vonage": {"from": "Shop"}}');
create function pg_temp.message(seconds_left numeric) returns delivery.message language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
  v_attempt platform.delivery_attempt;
begin
  v_attempt.id := '01234567-89ab-7def-8123-000000000000';
  v_attempt.provider := private.setting('OTP_PROVIDER') ->> 'providerToUse';
  v_attempt.channel := 'sms';
  v_otp.id := '01234567-89ab-7def-8123-456789abcdef';
  v_otp.identifier := '+12025550101';
  v_otp.awaited := false;
  v_otp.expires_at := clock_timestamp() + make_interval(secs => seconds_left);
  return private.write_message(v_otp, '123456', v_attempt);
end
$$;
select is((pg_temp.message(299.9)).body, '123456 is your code, 123456; 5 min {other}',
  'every {{code}} and {{minutes}} of the template is filled in');
select is((select row(m.otp_id, m.attempt_id, m.provider, m.channel, m.recipient, m.timeout_ms)::text from pg_temp.message(299) m),
  '(01234567-89ab-7def-8123-456789abcdef,01234567-89ab-7def-8123-000000000000,http,sms,+12025550101,10000)',
  'the message has the one-time password''s id, the attempt, the recipient and the vendor''s time');
select is((pg_temp.message(299)).options, '{"url": "https://gateway.example"}',
  'the message has the options of its own provider only');
select ok((pg_temp.message(seconds)).body like '%; ' || minutes || ' min%',
  seconds || ' seconds left are written as ' || minutes || ' minutes')
from (values (1055, 18), (1049, 17), (100, 2), (80, 1), (20, 1)) t (seconds, minutes);
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
select is((pg_temp.message(299)).options, '{}', 'a provider without options has empty options');
select is((pg_temp.message(299)).body, '123456', 'a change of the template applies to the next message');

-- What a vendor needs beside the text
select is((select row(m.code, m.encoding)::text from pg_temp.message(299) m), '(123456,GSM-7)', 'the message has the code, and its encoding as an SMS');
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "twilio", "template": "{{code}} für dich, ça va", "twilio": {"from": "+12125550100",
  "contentSid": {"default": {"default": "HX0123456789abcdef0123456789abcdef"}}}}');
select is((pg_temp.message(299)).encoding, 'UCS-2', 'a character beyond GSM 03.38 makes it UCS-2');
select is((pg_temp.message(299)).options ->> 'contentSid', 'HX0123456789abcdef0123456789abcdef', 'the options have the id of this text');

-- Purpose, languages and the line that a phone fills the code in by
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "Any {{code}}", "templates":
  {"LOGIN": {"de": "Anmeldung {{code}}", "default": "Login {{code}}"}, "default": {"de": "Code: {{code}}"}}}');
create function pg_temp.body(purpose text, languages text[], autofill text default null, channel text default 'sms') returns text language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
  v_attempt platform.delivery_attempt;
begin
  v_attempt.provider := 'console';
  v_attempt.channel := body.channel;
  v_otp.expires_at := clock_timestamp() + interval '5 minutes';
  v_otp.purpose := body.purpose;
  v_otp.languages := body.languages;
  v_otp.autofill := body.autofill;
  return (private.write_message(v_otp, '123456', v_attempt)).body;
end
$$;
select is(pg_temp.body('LOGIN', '{fr,de-AT}'), 'Anmeldung 123456', 'the text is the one for purpose and languages');
select is(pg_temp.body('SIGNUP', '{de}'), 'Code: 123456', 'another purpose has another text');
select is(pg_temp.body('SIGNUP', '{fr}'), 'Any 123456', 'template is the last resort');
select is(pg_temp.body('LOGIN', '{}', '@app.example.com'), E'Login 123456\n\n@app.example.com #123456', 'the last line names the host and the code');
select is(pg_temp.body('LOGIN', '{}', 'FA+9qCX9VSu'), E'Login 123456\n\nFA+9qCX9VSu', 'the last line is the hash of an app');
select is(pg_temp.body('LOGIN', '{}', '@app.example.com', channel), 'Login 123456', 'what is sent by ' || channel || ' has no such line')
from unnest(array['voice', 'whatsapp']) channel;

select * from finish();
rollback;
