create or replace function private.write_message(otp platform.otp_transaction, code text)
returns delivery.message
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
  v_provider text := v_record ->> 'providerToUse';
  v_minutes_left numeric := extract(epoch from otp.expires_at - clock_timestamp()) / 60;
  v_text text := private.fill_template(
    private.choose_template(v_record, otp.purpose, otp.languages), code, greatest(1, round(v_minutes_left))::integer
  );
begin
  return row(
    otp.id,
    v_provider,
    coalesce(v_record -> v_provider, '{}'),
    otp.identifier,
    v_text || coalesce(private.autofill_line(otp.autofill, code), '')
  )::delivery.message;
end
$$;

comment on function private.write_message(platform.otp_transaction, text) is
$$The SMS for a code, by the current setting OTP_PROVIDER: provider, its options, and the text for its purpose and languages with {{code}}
and {{minutes}} (the time left, rounded) filled in, followed by the line that lets a phone fill the code in.$$;
