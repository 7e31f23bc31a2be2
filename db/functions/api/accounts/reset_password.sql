create or replace function api.reset_password(
  phone text, otp text, code_key bytea, password_prehash text, password_length integer, password_is_common boolean, client text,
  email text default null
)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt private.code_attempt := row(
    case when reset_password.phone is null then 'EMAIL' else 'PHONE' end, coalesce(reset_password.phone, reset_password.email),
    'PASSWORD_RESET', reset_password.client, reset_password.otp, reset_password.code_key, null
  )::private.code_attempt;
  v_answer api.answer;
  v_otp api.otp_answer;
begin
  v_answer.error := coalesce(
    private.sign_in_name_error(reset_password.phone, reset_password.email),
    private.password_error('newPassword', reset_password.password_length, reset_password.password_is_common)
  );
  if v_answer.error is null then
    v_otp := private.check_otp(v_attempt);
    v_answer.error := v_otp.error;
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if private.replace_password(v_attempt.identifier, reset_password.password_prehash, v_otp.otp_id, v_attempt.client) then
    perform private.consume_otp(v_otp.otp_id);
  else
    v_answer.error := private.refuse_code(v_attempt);
  end if;
  return v_answer;
end
$$;

comment on function api.reset_password(text, text, bytea, text, integer, boolean, text, text) is
$$POST /api/v1/auth/reset-password/verify: sets a new password by a PASSWORD_RESET code and revokes every session of the account.
phone: E.164, or null. email: lower-cased, in its place; or null. otp: the code as typed. code_key: as private.hash_code. password_prehash, password_length, password_is_common: of the new
password, as api.register. client: address as limits count it. Errors: INVALID_IDENTIFIER (details.field phone or email), INVALID_REQUEST (details.field newPassword; details.reason not_enabled),
those of private.check_otp; INVALID_OTP also for the right code where there is no account.$$;
grant execute on function api.reset_password(text, text, bytea, text, integer, boolean, text, text) to latchkey_server;
