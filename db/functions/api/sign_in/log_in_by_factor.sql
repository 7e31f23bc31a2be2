create or replace function api.log_in_by_factor(
  challenge_id uuid, code text, recovery_code text, code_key bytea, client text, user_agent text,
  factor_ids uuid[] default null, factor_secrets bytea[] default null,
  credential_id bytea default null, authenticator_data bytea default null, user_handle bytea default null, is_signed boolean default null,
  languages text[] default '{}'
)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt private.factor_attempt := row(
    log_in_by_factor.code, log_in_by_factor.recovery_code, log_in_by_factor.code_key, log_in_by_factor.factor_ids,
    log_in_by_factor.factor_secrets
  )::private.factor_attempt;
  v_passkey private.passkey_attempt := row(
    log_in_by_factor.credential_id, log_in_by_factor.authenticator_data, log_in_by_factor.user_handle, log_in_by_factor.is_signed
  )::private.passkey_attempt;
  v_methods text[] := array['otp'];
  v_challenge private.factor_challenge := private.live_challenge(log_in_by_factor.challenge_id, 'login');
  v_answer api.session_answer;
  v_windows platform.rate_limit[];
  v_account "user".account;
begin
  v_answer.error := coalesce(
    private.challenge_error(v_challenge),
    private.guest_error((v_challenge.sign_in).guest_session_id),
    private.factor_secrets_error(private.confirmed_factors(v_challenge.user_id), v_attempt),
    private.user_passkey_check_error(v_challenge, v_passkey)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_windows := private.lock_rate_limits(private.factor_rules(v_challenge.user_id));
  v_account := case
    when v_passkey.credential_id is null then private.lock_account(v_challenge.user_id)
    else private.lock_account_to_tell(v_challenge.user_id)
  end;
  -- Read again: while this waited, another request may have answered it, or revoked the account's sessions.
  v_challenge := private.live_challenge(log_in_by_factor.challenge_id, 'login');
  v_answer.error := coalesce(
    private.challenge_error(v_challenge),
    -- Before a code is used up.
    private.lock_guest((v_challenge.sign_in).guest_session_id)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  if v_passkey.credential_id is null then
    v_answer.error := private.use_code(v_account, v_attempt, v_windows);
  else
    -- Whatever wrong codes have locked: nobody guesses a passkey.
    v_methods := private.use_passkey(v_account, v_passkey, log_in_by_factor.languages, log_in_by_factor.client);
    v_answer.error := private.error(case when v_methods is null then 'INVALID_OTP' end);
  end if;
  if v_answer.error is distinct from null then
    if (v_answer.error).code = 'INVALID_OTP' then
      update private.factor_challenge c set attempts = c.attempts + 1 where c.id = v_challenge.id;
    end if;
    return v_answer;
  end if;
  return private.answer_challenge(v_challenge, v_methods, log_in_by_factor.client, log_in_by_factor.user_agent);
end
$$;

comment on function api.log_in_by_factor(uuid, text, text, bytea, text, text, uuid[], bytea[], bytea, bytea, bytea, boolean, text[]) is
$$POST /api/v1/auth/login/factor: the second step of a sign-in. challenge_id: as the first step answered it. code: six digits of an app; or
recovery_code: ten characters; or credential_id, authenticator_data, user_handle and is_signed, as private.passkey_attempt: the others are null. code_key, factor_ids, factor_secrets: as private.factor_attempt. client, user_agent: of
this request, to which the tokens are issued. languages: as private.queue_notice. Errors: those of private.challenge_error, private.use_code and private.user_passkey_check_error, and of the guest those of
private.guest_error.$$;
grant execute on function api.log_in_by_factor(uuid, text, text, bytea, text, text, uuid[], bytea[], bytea, bytea, bytea, boolean, text[]) to latchkey_server;
