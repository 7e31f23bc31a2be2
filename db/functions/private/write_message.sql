create or replace function private.write_message(otp platform.otp_transaction, code text, attempt platform.delivery_attempt)
returns delivery.message
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_template text := private.setting('OTP_PROVIDER') ->> 'template';
  v_minutes_left numeric := extract(epoch from otp.expires_at - clock_timestamp()) / 60;
begin
  return row(
    otp.id,
    attempt.provider,
    private.provider_options(attempt.provider),
    otp.identifier,
    replace(replace(v_template, '{{minutes}}', greatest(1, round(v_minutes_left))::text), '{{code}}', code),
    attempt.id,
    attempt.channel,
    ceil(extract(epoch from private.delivery_timeout(otp)) * 1000)
  )::delivery.message;
end
$$;

comment on function private.write_message(platform.otp_transaction, text, platform.delivery_attempt) is
$$The message for a code: the attempt's provider with its options, and the template of OTP_PROVIDER with {{code}} and {{minutes}} (the time
left, rounded) filled in.$$;
