create or replace function api.verify_registration(
  phone text,
  otp text,
  code_key bytea,
  client text,
  user_id uuid,
  user_agent text,
  label text,
  guest_session_id uuid
)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt private.code_attempt := row(
    'PHONE', verify_registration.phone, 'SIGNUP', verify_registration.client, verify_registration.otp, verify_registration.code_key, null
  )::private.code_attempt;
  v_answer api.session_answer;
  v_account "user".account;
  v_is_free boolean;
  v_registration private.pending_registration;
  v_otp api.otp_answer;
begin
  v_answer.error := coalesce(
    private.identifier_error('phone', verify_registration.phone),
    private.guest_error(verify_registration.guest_session_id)
  );
  if v_answer.error is null then
    perform private.apply_phone_changes(v_attempt.identifier);
    v_otp := private.check_otp(v_attempt);
    v_answer.error := v_otp.error;
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  select a.* into v_account from "user".account a where a.phone = verify_registration.phone for update;
  v_is_free := v_account.id is null or private.is_recycled(v_account);
  v_registration := private.registration_to_confirm(verify_registration.phone, verify_registration.user_id);
  v_answer.error := case
    -- A disabled account is answered like an unknown phone, although its phone is taken.
    when v_is_free and (v_registration.user_id is null or not private.may_register(verify_registration.phone)) or not v_is_free and v_account.disabled_at is not null
      then private.refuse_code(v_attempt)
    -- Before anything is stored: if another request promoted the guest meanwhile, code and registration stay unused.
    when v_is_free then private.lock_guest(verify_registration.guest_session_id)
  end;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  -- The phone of an account whose deletion is due is taken too, until the clean-up has erased the account.
  if not v_is_free or not private.confirm_registration(v_registration, v_otp.otp_id) then
    perform private.consume_otp(v_otp.otp_id);
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
    return v_answer;
  end if;
  v_answer := private.open_session(
    row(
      v_registration.user_id, array['sms'], verify_registration.client, verify_registration.user_agent, verify_registration.label,
      verify_registration.guest_session_id
    )::private.sign_in
  );
  -- Last, because it locks the counters of sends.
  perform private.consume_otp(v_otp.otp_id);
  return v_answer;
end
$$;

comment on function api.verify_registration(text, text, bytea, text, uuid, text, text, uuid) is
$$POST /api/v1/auth/register/verify: confirms a phone by its SIGNUP code, makes the account and opens a session.
phone: E.164. otp: the code as typed. code_key: as private.hash_code. client: address as limits count it. user_id: the registration to confirm,
as api.register returned it; null: the latest, whose password counts only if all pending registrations have the same one.
user_agent, label, guest_session_id: as private.sign_in.
Errors: INVALID_IDENTIFIER (details.field phone); those of private.check_otp; INVALID_OTP also for the right code where there is no such registration, an invitation is missing (private.may_register), or an account that is
disabled;
INVALID_REQUEST (details.reason already_registered), which only the holder of the phone can reach;
SESSION_NOT_FOUND, SESSION_REVOKED, SESSION_MISMATCH (of the guest, and nothing is counted).$$;
grant execute on function api.verify_registration(text, text, bytea, text, uuid, text, text, uuid) to latchkey_server;
