create or replace function private.write_message(otp platform.otp_transaction, code text, attempt platform.delivery_attempt)
returns delivery.message
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_minutes_left numeric := extract(epoch from otp.expires_at - clock_timestamp()) / 60;
  v_text text := private.fill_template(
    private.choose_template(private.setting('OTP_PROVIDER'), otp.purpose, otp.languages), coalesce(write_message.code, ''),
    greatest(1, round(v_minutes_left))::integer
  );
  -- Only in an SMS: a voice call would read the line aloud.
  v_autofill_line text := case when attempt.channel = 'sms' then private.autofill_line(otp.autofill, write_message.code) end;
  v_body text := v_text || coalesce(v_autofill_line, '');
begin
  return row(
    otp.id,
    attempt.provider,
    private.options_for_text(private.provider_options(attempt.provider, otp.identifier), otp.purpose, otp.languages)
      -- Of these only twilio has an option of that name.
      || case when otp.channel is not null and attempt.provider = 'twilio' then jsonb_build_object('channel', attempt.channel) else '{}' end,
    otp.identifier,
    v_body,
    attempt.id,
    attempt.channel,
    ceil(extract(epoch from private.delivery_timeout(otp)) * 1000),
    case when attempt.channel = 'sms' then private.sms_encoding(v_body) end,
    write_message.code,
    (select d.country from platform.send_decision d where d.otp_id = otp.id)
  )::delivery.message;
end
$$;

comment on function private.write_message(platform.otp_transaction, text, platform.delivery_attempt) is
$$The message for a code: the attempt's provider with its options (private.options_for_text), and the text of OTP_PROVIDER for its purpose
and languages with {{code}} and {{minutes}} (the time left, rounded) filled in; in an SMS followed by the line that lets a phone fill the
code in, and with its encoding. A notice has no placeholders, and its code is null. Its country is that of the decision to send it.$$;
