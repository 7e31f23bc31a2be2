create or replace function api.log_in(
  phone text,
  password_prehash text,
  client text,
  user_agent text,
  label text,
  guest_session_id uuid
)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
  v_account "user".account := private.usable_account(log_in.phone);
  v_rules private.rate_limit_rule[] := private.login_failure_rules(log_in.phone, log_in.client);
  v_known boolean := private.is_known_client(log_in.phone, log_in.client);
  v_verdict private.rate_limit_verdict := private.refuse_login(v_rules, log_in.client);
  v_right boolean;
  -- Computed for every phone, so that the time does not reveal which ones have a password.
  v_decoy_hash text := private.decoy_hash(log_in.phone);
begin
  v_answer.error := private.guest_error(log_in.guest_session_id);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  -- Limits are read before bcrypt runs and counted after it, so that bcrypt runs without a lock. Counting limits the verdicts:
  -- a burst of parallel guesses gets no more of them than the limit allows.
  if v_verdict.wait is null then
    v_right := private.compare_password(
      log_in.password_prehash, coalesce(v_account.password_hash, v_decoy_hash)
    );
    v_verdict := private.count_login(v_rules, log_in.phone, v_right, v_known);
  end if;
  v_answer.error := private.rate_limit_error(v_verdict);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if v_right then
    v_right := private.admit_login(v_account, log_in.password_prehash);
  end if;
  if not v_right then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
    return v_answer;
  end if;
  perform private.remember_client(v_account.id, log_in.client);
  return private.open_session(
    row(v_account.id, array['pwd'], log_in.client, log_in.user_agent, log_in.label, log_in.guest_session_id)::private.sign_in
  );
end
$$;

comment on function api.log_in(text, text, text, text, text, uuid) is
$$POST /api/v1/auth/login: opens a session for phone and password. Gives the same answer, after the same work, for an unknown phone, a
wrong password and an unverified phone. While a limit of failures is spent it refuses the right password too, except for a client from
which the account logged in within private.known_client_lifetime().
phone: E.164. password_prehash: the shell's keyed pre-hash. client: address as limits count it.
user_agent, label, guest_session_id: as private.sign_in.
Errors: INVALID_REQUEST (details.reason login_refused), RATE_LIMIT_EXCEEDED (LOGIN_FAILURES_…, LOGINS_PER_PHONE); SESSION_NOT_FOUND,
SESSION_REVOKED, SESSION_MISMATCH (of the guest, and nothing is counted).$$;
grant execute on function api.log_in(text, text, text, text, text, uuid) to latchkey_server;
