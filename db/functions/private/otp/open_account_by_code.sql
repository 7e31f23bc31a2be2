create or replace function private.open_account_by_code(
  attempt private.code_attempt, otp_id uuid, email text, guest_session_id uuid
)
returns api.session_answer
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_answer api.session_answer;
begin
  v_answer.created := false;
  select a.* into v_account from "user".account a where a.phone = attempt.identifier;
  if private.setting('SIGNUP_BY_CODE') = '"off"' or v_account.id is not null and not private.is_recycled(v_account)
    or not private.may_register(attempt.identifier) then
    return v_answer;
  end if;
  -- The keys sort after those of the verify limits, which the caller holds: limits stay locked in the order of their
  -- keys.
  v_answer.error := coalesce(
    private.rate_limit_error(private.take_rate_limits(private.client_rules('REGISTER_PER_IP', attempt.client))),
    private.before_register(attempt.identifier, attempt.client)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  -- Before the guest's session, as every sign-in locks them.
  perform from "user".account a where a.phone = attempt.identifier for update;
  v_answer.error := private.lock_guest(open_account_by_code.guest_session_id);
  if v_answer.error is null then
    -- False where an import, or an admin, has just given an account this phone: the code then logs in to that one.
    v_answer.created := private.confirm_registration(
      row(private.new_id(), attempt.identifier, open_account_by_code.email, null, null, null)::private.pending_registration,
      open_account_by_code.otp_id
    );
  end if;
  return v_answer;
end
$$;

comment on function private.open_account_by_code(private.code_attempt, uuid, text, uuid) is
$$Opens an account for the holder of a phone that has none, or a recycled one, while SIGNUP_BY_CODE is on and REGISTRATION
admits it (private.may_register). Its phone is verified; it has no
password. Only for the caller with the right code: to others it would show who has an account. The caller has checked the attempt. otp_id: the one-time password whose code that is. email: lower-cased, or null.
guest_session_id: as private.sign_in. Result: created, whether it opened one, or an error; nothing else.
Errors: RATE_LIMIT_EXCEEDED (REGISTER_PER_IP); INVALID_REQUEST (details.reason refused_by_hook); SESSION_NOT_FOUND, SESSION_REVOKED (of the guest).$$;
