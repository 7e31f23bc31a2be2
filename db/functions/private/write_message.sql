create or replace function private.write_message(otp platform.otp_transaction, code text)
returns delivery.message
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
  v_provider text := v_record ->> 'providerToUse';
  v_minutes_left numeric := extract(epoch from otp.expires_at - clock_timestamp()) / 60;
begin
  return row(
    otp.id,
    v_provider,
    coalesce(v_record -> v_provider, '{}'),
    otp.identifier,
    replace(replace(v_record ->> 'template', '{{minutes}}', greatest(1, round(v_minutes_left))::text), '{{code}}', code)
  )::delivery.message;
end
$$;

comment on function private.write_message(platform.otp_transaction, text) is
$$The SMS for a code, by the current setting OTP_PROVIDER: provider, its options, and the template with {{code}} and {{minutes}} (the time
left, rounded) filled in.$$;
