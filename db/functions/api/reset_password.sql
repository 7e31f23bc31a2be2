create or replace function api.reset_password(
  phone text, otp text, code_key bytea, password_prehash text, password_length integer, password_is_common boolean, client text
)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt private.code_attempt := row(
    'PHONE', reset_password.phone, 'PASSWORD_RESET', reset_password.client, reset_password.otp, reset_password.code_key, null
  )::private.code_attempt;
  v_answer api.answer;
  v_otp api.otp_answer;
begin
  v_answer.error := coalesce(
    private.identifier_error('phone', reset_password.phone),
    private.password_error('newPassword', reset_password.password_length, reset_password.password_is_common)
  );
  if v_answer.error is null then
    v_otp := private.check_otp(v_attempt);
    v_answer.error := v_otp.error;
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if private.replace_password(reset_password.phone, reset_password.password_prehash, v_otp.otp_id) then
    perform private.consume_otp(v_otp.otp_id);
  else
    v_answer.error := private.refuse_code(v_attempt);
  end if;
  return v_answer;
end
$$;

comment on function api.reset_password(text, text, bytea, text, integer, boolean, text) is
$$POST /api/v1/auth/reset-password/verify: sets a new password by a PASSWORD_RESET code and revokes every session of the account.
phone: E.164. otp: the code as typed. code_key: 32 bytes. password_prehash, password_length, password_is_common: of the new
password, as api.register. client: address as limits count it. Errors: INVALID_IDENTIFIER (details.field phone), INVALID_REQUEST (details.field newPassword),
those of private.check_otp; INVALID_OTP also for the right code where there is no account.$$;
grant execute on function api.reset_password(text, text, bytea, text, integer, boolean, text) to latchkey_server;
