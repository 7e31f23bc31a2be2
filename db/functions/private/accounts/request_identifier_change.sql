create or replace function private.request_identifier_change(
  request private.send_request, session_id uuid, password_prehash text, foreign_prehash text
)
returns api.otp_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.otp_answer;
  v_account "user".account;
  v_attempt private.password_attempt;
  v_rules private.rate_limit_rule[];
  v_check private.password_check;
  v_test_code text := private.test_code(request.identifier);
begin
  select a.* into v_account from "user".account a where a.id = request.account_id;
  v_rules := private.login_rules(v_account.id) || private.client_rules('OTP_SEND_PER_IP', request.client);
  if v_test_code is null then
    v_rules := v_rules || private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', private.counted_identifier(request.identifier));
  end if;
  v_answer.error := coalesce(
    private.caller_error(request_identifier_change.session_id, request.account_id),
    private.second_factor_error(request_identifier_change.session_id, request.account_id),
    private.rate_limit_error(private.look_at_rate_limits(v_rules))
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_attempt := row(
    v_account.phone, request.client, request_identifier_change.password_prehash, request_identifier_change.foreign_prehash
  );
  v_check := case
    when request_identifier_change.password_prehash is not null then private.check_password(v_account, v_attempt)
    when request.purpose = 'PHONE_RECOVERY' then private.check_email_sign_in(request_identifier_change.session_id)
    else private.check_recent_sign_in(request_identifier_change.session_id)
  end;
  if v_test_code is not null then
    -- For private.store_test_otp; after bcrypt, and before the limits and the account, as everywhere.
    perform private.lock_verification_state(request.identifier_type, request.identifier);
  end if;
  v_check := private.settle_password(v_check, v_account, v_attempt, v_rules);
  v_answer.error := v_check.error;
  if v_answer.error is null then
    -- Again: a reset or a change of phone may have revoked the session while bcrypt ran.
    v_answer.error := private.caller_error(request_identifier_change.session_id, request.account_id);
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if request.identifier_type = 'PHONE' then
    perform private.remember_phone(v_account.id, request.identifier, null, clock_timestamp());
  end if;
  if v_test_code is not null then
    return private.otp_answer(private.store_test_otp(request, v_test_code));
  end if;
  request.counted_at := v_check.counted_at;
  return private.send_code(request);
end
$$;

comment on function private.request_identifier_change(private.send_request, uuid, text, text) is
$$Sends a code to the phone or email that a caller's account is to have, whether or not another account has it. A wrong password counts as a
failed login, a right one, or a recent sign-in in its place, as a login and as a send. request: with a valid identifier and the caller's account. session_id:
of the caller. password_prehash: the server's keyed pre-hash; null: the caller has signed in lately,
for purpose PHONE_RECOVERY by a code by email. foreign_prehash: as api.log_in.
Errors: SESSION_NOT_FOUND, SESSION_REVOKED; INVALID_REQUEST (details.reason login_refused, recent_sign_in_required, refused_by_hook);
RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IDENTIFIER, OTP_SEND_PER_IP, LOGINS_PER_PHONE, LOGIN_FAILURES_…, the fraud rules in mode "enforce").$$;
