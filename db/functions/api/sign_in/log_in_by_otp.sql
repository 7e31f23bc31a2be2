create or replace function api.log_in_by_otp(
  phone text,
  otp text,
  code_key bytea,
  client text,
  email text,
  user_agent text,
  label text,
  guest_session_id uuid
)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Beside a phone, the email is that of an account which the code may open.
  v_is_by_email boolean := log_in_by_otp.phone is null and log_in_by_otp.email is not null;
  v_attempt private.code_attempt := row(
    case when v_is_by_email then 'EMAIL' else 'PHONE' end, coalesce(log_in_by_otp.phone, log_in_by_otp.email), 'LOGIN',
    log_in_by_otp.client, log_in_by_otp.otp, log_in_by_otp.code_key, null
  )::private.code_attempt;
  v_answer api.session_answer;
  v_otp api.otp_answer;
  v_opened api.session_answer;
  v_account "user".account;
begin
  v_answer.error := coalesce(
    private.sign_in_name_error(log_in_by_otp.phone, case when v_is_by_email then log_in_by_otp.email end),
    private.identifier_error('email', log_in_by_otp.email, 'EMAIL'),
    private.login_by_otp_error(),
    private.guest_error(log_in_by_otp.guest_session_id)
  );
  if v_answer.error is null then
    perform private.apply_phone_changes(v_attempt.identifier);
    v_otp := private.check_otp(v_attempt);
    v_answer.error := v_otp.error;
  end if;
  v_opened.created := false;
  if v_answer.error is null and not v_is_by_email then
    v_opened := private.open_account_by_code(v_attempt, v_otp.otp_id, log_in_by_otp.email, log_in_by_otp.guest_session_id);
    v_answer.error := v_opened.error;
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_account := private.lock_account_for_code(v_attempt.identifier, v_otp.otp_id);
  v_answer.error := case
    when v_account.id is null then private.refuse_code(v_attempt)
    -- Before anything is stored: if another request promoted the guest meanwhile, the code stays unused.
    else private.lock_guest(log_in_by_otp.guest_session_id)
  end;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_answer := private.open_session(
    row(
      v_account.id, array[case when v_is_by_email then 'otp' else 'sms' end], log_in_by_otp.client, log_in_by_otp.user_agent,
      log_in_by_otp.label, log_in_by_otp.guest_session_id
    )::private.sign_in
  );
  v_answer.created := v_opened.created;
  -- Last, because it locks the counters of sends.
  perform private.consume_otp(v_otp.otp_id);
  return v_answer;
end
$$;

comment on function api.log_in_by_otp(text, text, bytea, text, text, text, text, uuid) is
$$POST /api/v1/auth/login/otp: opens a session for a phone and its LOGIN code, and the account too where the phone has none
(private.open_account_by_code); or for a verified email and its LOGIN code. phone: E.164; null: signs in by email. otp: the code as typed. code_key: as private.hash_code. client: address as limits count it. email: lower-cased, or null: beside
a phone, of a new account. user_agent, label, guest_session_id: as private.sign_in.
Errors: INVALID_IDENTIFIER (details.field phone or email); INVALID_REQUEST (details.reason not_enabled; refused_by_hook, and the code stays unused); those of private.check_otp; INVALID_OTP also for the right code where there is no
account that a code may open; RATE_LIMIT_EXCEEDED (REGISTER_PER_IP, and the code stays unused), which only the holder of the code can reach;
SESSION_NOT_FOUND, SESSION_REVOKED, SESSION_MISMATCH (of the guest, and no code is counted);
INVALID_REQUEST (details.reason second_factor_required: private.challenge_sign_in).$$;
grant execute on function api.log_in_by_otp(text, text, bytea, text, text, text, text, uuid) to latchkey_server;
