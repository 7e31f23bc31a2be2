create or replace function private.compare_code(
  identifier_type text, identifier text, purpose text, code text, code_key bytea, account_id uuid default null
)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Hashed with where there is no code: otherwise the time would tell that there is none.
  c_no_otp constant uuid := uuid '00000000-0000-0000-0000-000000000000';
  v_answer api.otp_answer;
  v_hash bytea;
  v_otp platform.otp_transaction := private.current_otp(
    compare_code.identifier_type, compare_code.identifier, compare_code.purpose, compare_code.account_id
  );
begin
  v_hash := private.hash_code(coalesce(v_otp.id, c_no_otp), compare_code.code, compare_code.code_key);
  v_answer.error := private.error(case
    when (v_otp.code_hash = v_hash) is not true then 'INVALID_OTP'
    when v_otp.verified_at is not null then 'OTP_ALREADY_USED'
    when v_otp.expires_at <= clock_timestamp() then 'OTP_EXPIRED'
  end);
  if v_answer.error is null then
    v_answer.otp_id := v_otp.id;
    v_answer.expires_at := v_otp.expires_at;
  end if;
  return v_answer;
end
$$;

comment on function private.compare_code(text, text, text, text, bytea, uuid) is
$$Compares a code with the current one-time password. Only the right code learns that it is used or expired.
Counts nothing. The caller holds the identifier's row of private.verification_state. identifier_type, identifier, purpose, code,
code_key, account_id: as private.check_otp. Errors: INVALID_OTP, OTP_ALREADY_USED, OTP_EXPIRED.$$;
