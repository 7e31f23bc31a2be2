create or replace function api.step_up(
  session_id uuid, user_id uuid, password_prehash text, otp text, code text, code_key bytea, client text, user_agent text,
  foreign_prehash text default null, factor_ids uuid[] default null, factor_secrets bytea[] default null,
  challenge_id uuid default null, credential_id bytea default null, authenticator_data bytea default null, user_handle bytea default null,
  is_signed boolean default null, languages text[] default '{}'
)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
  v_account "user".account;
  v_session "user".session;
  v_attempt private.password_attempt;
  v_otp api.otp_answer;
  v_passkey private.passkey_attempt := row(
    step_up.credential_id, step_up.authenticator_data, step_up.user_handle, step_up.is_signed
  )::private.passkey_attempt;
  v_challenge private.factor_challenge;
  v_methods text[] := case when step_up.code is not null then array['otp'] end;
begin
  -- Read before the session: a transaction that takes the phone from an account revokes its sessions too.
  select a.* into v_account from "user".account a where a.id = step_up.user_id;
  v_answer.error := private.user_session_error(step_up.session_id, step_up.user_id);
  if v_answer.error is null and step_up.password_prehash is not null then
    v_attempt := row(v_account.phone, step_up.client, step_up.password_prehash, step_up.foreign_prehash);
    v_answer.error := (private.settle_password(
      private.check_password(v_account, v_attempt), v_account, v_attempt, private.login_rules(v_account.id)
    )).error;
  elsif v_answer.error is null and step_up.otp is not null then
    v_otp := private.check_otp(row(
      'PHONE', v_account.phone, 'LOGIN', step_up.client, step_up.otp, step_up.code_key, null
    )::private.code_attempt);
    v_answer.error := v_otp.error;
    if v_answer.error is null then
      perform private.lock_account(step_up.user_id);
    end if;
  elsif v_answer.error is null and step_up.credential_id is not null then
    v_challenge := private.live_challenge(step_up.challenge_id, 'step_up', step_up.session_id);
    v_answer.error := coalesce(private.challenge_error(v_challenge), private.user_passkey_check_error(v_challenge, v_passkey));
    if v_answer.error is null then
      v_account := private.lock_account_to_tell(step_up.user_id);
      if private.settle_challenge(v_challenge, step_up.is_signed) then
        v_methods := private.use_passkey(v_account, v_passkey, step_up.languages, step_up.client);
      end if;
      v_answer.error := private.error(case when v_methods is null then 'INVALID_OTP' end);
    end if;
  elsif v_answer.error is null then
    v_answer.error := private.check_factor_code(step_up.user_id, row(
      step_up.code, null, step_up.code_key, step_up.factor_ids, step_up.factor_secrets
    )::private.factor_attempt);
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  -- Under the account's lock: a session that was revoked meanwhile proves nothing.
  select s.* into v_session from "user".session s where s.id = step_up.session_id for no key update;
  v_answer.error := private.user_session_error(step_up.session_id, step_up.user_id);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if v_methods is not null then
    v_session := private.prove_factor(step_up.session_id, v_methods);
  else
    -- In place of what was proved before: one factor is aal1 again, however the session began.
    update "user".session s
    set amr = array[case when step_up.otp is null then 'pwd' else 'sms' end], authenticated_at = clock_timestamp()
    where s.id = step_up.session_id
    returning s.* into v_session;
  end if;
  v_answer := private.rotate_session(v_session, step_up.client, step_up.user_agent);
  -- Last, because it locks the counters of sends.
  if v_otp.otp_id is not null then
    perform private.consume_otp(v_otp.otp_id);
  end if;
  return v_answer;
end
$$;

comment on function api.step_up(uuid, uuid, text, text, text, bytea, text, text, text, uuid[], bytea[], uuid, bytea, bytea, bytea, boolean, text[]) is
$$POST /api/v1/auth/session/step-up: the session proves again who its user is, and gets new tokens, as by a refresh. A code of an app or a passkey makes it
aal2; password or LOGIN code replace what was proved before. session_id, user_id: claims sid and sub of a verified access token. password_prehash:
the server's keyed pre-hash; otp: a LOGIN code as typed; code: six digits of an app; or challenge_id with
credential_id, authenticator_data, user_handle and is_signed, as private.passkey_attempt: the others are null. code_key, factor_ids,
factor_secrets: as private.factor_attempt. client, user_agent: of the request. foreign_prehash: as api.log_in.
languages: as private.queue_notice.
Errors: those of private.user_session_error; those of private.settle_password (LOGINS_PER_PHONE), private.check_otp, private.check_factor_code,
private.challenge_error or private.user_passkey_check_error; INVALID_OTP.$$;
grant execute on function api.step_up(uuid, uuid, text, text, text, bytea, text, text, text, uuid[], bytea[], uuid, bytea, bytea, bytea, boolean, text[]) to latchkey_server;
