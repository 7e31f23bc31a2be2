create or replace function private.compare_code(otp platform.otp_transaction, attempt private.code_attempt)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Hashed with where there is no code: otherwise the time would tell that there is none.
  c_no_otp constant uuid := uuid '00000000-0000-0000-0000-000000000000';
  v_answer api.otp_answer;
  v_hash bytea := private.hash_code(coalesce(otp.id, c_no_otp), attempt.code, private.code_key_for(attempt.code_key, otp.code_hash));
begin
  v_answer.error := private.error(case
    when (otp.code_hash = v_hash) is not true then 'INVALID_OTP'
    when otp.verified_at is not null then 'OTP_ALREADY_USED'
    when otp.expires_at <= clock_timestamp() then 'OTP_EXPIRED'
  end);
  if (v_answer.error).code = 'INVALID_OTP' and private.is_replaced_code(otp, attempt) then
    v_answer.error := private.error('INVALID_OTP', jsonb_build_object('reason', 'replaced'));
  end if;
  if v_answer.error is null then
    v_answer.otp_id := otp.id;
    v_answer.expires_at := otp.expires_at;
  end if;
  return v_answer;
end
$$;

comment on function private.compare_code(platform.otp_transaction, private.code_attempt) is
$$Compares a code with a one-time password. Only the right code learns that it is used or expired, and only a code that was right that a newer
one replaced it. Counts nothing. otp: private.current_otp,
read while the caller holds the identifier's row of private.verification_state. Errors: INVALID_OTP (details.reason replaced),
OTP_ALREADY_USED, OTP_EXPIRED.$$;
