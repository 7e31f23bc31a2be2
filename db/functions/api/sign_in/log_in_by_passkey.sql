create or replace function api.log_in_by_passkey(
  challenge_id uuid,
  credential_id bytea,
  authenticator_data bytea,
  user_handle bytea,
  rp_id text,
  client text,
  user_agent text,
  label text,
  guest_session_id uuid,
  is_signed boolean default null,
  languages text[] default '{}'
)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
  v_attempt private.passkey_attempt := row(
    log_in_by_passkey.credential_id, log_in_by_passkey.authenticator_data, coalesce(log_in_by_passkey.user_handle, ''), log_in_by_passkey.is_signed
  )::private.passkey_attempt;
  v_challenge private.factor_challenge := private.live_challenge(log_in_by_passkey.challenge_id, 'login_passkey');
  v_rules private.rate_limit_rule[] := private.client_rules('LOGIN_FAILURES_PER_IP', log_in_by_passkey.client);
  -- Null: the signature is wrong, or the limit is off.
  v_login_rule private.rate_limit_rule;
  v_windows platform.rate_limit[];
  v_login_window platform.rate_limit;
  v_factor "user".factor;
  v_account "user".account;
  v_methods text[];
begin
  select f.* into v_factor from "user".factor f where f.credential_id = log_in_by_passkey.credential_id;
  v_answer.error := coalesce(
    private.passkey_sign_in_error(log_in_by_passkey.rp_id),
    private.guest_error(log_in_by_passkey.guest_session_id),
    private.rate_limit_error(private.look_at_rate_limits(v_rules)),
    private.passkey_check_error('get', v_challenge, v_factor.public_key, v_attempt.is_signed)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  -- Of a wrong signature as little is done as of a passkey that nobody has.
  if v_attempt.is_signed and v_factor.user_id is not null then
    v_login_rule := (private.login_rules(v_factor.user_id))[1];
  end if;
  v_windows := private.lock_rate_limits(v_rules || v_login_rule);
  v_login_window := v_windows[cardinality(v_rules) + 1];
  v_answer.error := private.rate_limit_error(private.longest_wait(v_windows, v_rules));
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_account := private.lock_account_to_tell(v_factor.user_id);
  if private.challenge_error(v_challenge) is null
    and private.settle_challenge(v_challenge, private.is_usable(v_account) and v_attempt.is_signed) then
    v_methods := private.use_passkey(v_account, v_attempt, log_in_by_passkey.languages, log_in_by_passkey.client);
  end if;
  if coalesce('user' <> all (v_methods), true) then
    perform private.count_hits(v_windows, v_rules);
    perform private.record_event('login.refused', v_factor.user_id, null, jsonb_build_object('by', 'passkey'), log_in_by_passkey.client);
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
    return v_answer;
  end if;
  v_answer.error := coalesce(
    private.rate_limit_error(private.longest_wait(array[v_login_window], array[v_login_rule])),
    private.lock_guest(log_in_by_passkey.guest_session_id)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  perform private.count_hits(array[v_login_window], array[v_login_rule]);
  return private.open_session(row(
    v_factor.user_id, v_methods || array['mfa'], log_in_by_passkey.client, log_in_by_passkey.user_agent, log_in_by_passkey.label,
    log_in_by_passkey.guest_session_id
  )::private.sign_in);
end
$$;

comment on function api.log_in_by_passkey(uuid, bytea, bytea, bytea, text, text, text, text, uuid, boolean, text[]) is
$$POST /api/v1/auth/login/passkey: opens a session for a passkey that verified its user, who is the second factor. Gives the same answer,
after the same work, for an unknown passkey, a wrong signature, an ended challenge and an account that cannot be signed in to. A copy of a passkey is told to
the account's phone. challenge_id: of api.begin_passkey_login. credential_id, authenticator_data, user_handle, is_signed: as private.passkey_attempt. rp_id: the domain that passkeys belong to, or null.
client: address as limits count it. user_agent, label, guest_session_id: as private.sign_in. languages: as private.queue_notice.
Errors: those of private.passkey_sign_in_error; INVALID_REQUEST (details.reason login_refused), RATE_LIMIT_EXCEEDED (LOGIN_FAILURES_PER_IP, LOGINS_PER_PHONE); SESSION_NOT_FOUND, SESSION_REVOKED,
SESSION_MISMATCH (of the guest, and nothing is counted).$$;
grant execute on function api.log_in_by_passkey(uuid, bytea, bytea, bytea, text, text, text, text, uuid, boolean, text[]) to latchkey_server;
