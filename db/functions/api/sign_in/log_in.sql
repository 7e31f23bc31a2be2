create or replace function api.log_in(
  phone text,
  password_prehash text,
  client text,
  user_agent text,
  label text,
  guest_session_id uuid,
  foreign_prehash text default null,
  email text default null
)
returns api.session_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.session_answer;
  v_name text := coalesce(log_in.phone, log_in.email);
  v_account "user".account;
  v_attempt private.password_attempt;
begin
  perform private.apply_phone_changes(v_name);
  v_account := private.usable_account(v_name);
  -- By whichever name: failures count for the account.
  v_attempt := row(coalesce(v_account.phone, v_name), log_in.client, log_in.password_prehash, log_in.foreign_prehash);
  v_answer.error := coalesce(
    private.sign_in_name_error(log_in.phone, log_in.email),
    private.guest_error(log_in.guest_session_id),
    (private.settle_password(
      private.check_password(v_account, v_attempt), v_account, v_attempt, private.login_rules(v_account.id)
    )).error
  );
  -- A statement of its own, under the account's lock: the email may have been changed while the password was compared.
  if v_answer.error is null and (private.usable_account(v_name)).id is distinct from v_account.id then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  -- After the verdict: a refusal that took a second bcrypt would reveal that the password was right. Meanwhile only rows
  -- of this account are locked.
  perform private.renew_password_hash(v_account.id, log_in.password_prehash);
  return private.open_session(
    row(v_account.id, array['pwd'], log_in.client, log_in.user_agent, log_in.label, log_in.guest_session_id)::private.sign_in
  );
end
$$;

comment on function api.log_in(text, text, text, text, text, uuid, text, text) is
$$POST /api/v1/auth/login: opens a session for phone or email and password. Gives the same answer, after the same work, for an unknown phone
or email, a wrong password and an unverified phone or email. While a limit of failures is spent it refuses the right password too, except for a client from
which the account logged in within private.known_client_lifetime(). Re-hashes a password that is stored at another cost than
PASSWORD_HASH_COST, under another pepper than the current one, or was imported.
phone: E.164, or null. email: lower-cased, in its place; or null. password_prehash: the server's keyed pre-hash. client: address as limits count it.
user_agent, label, guest_session_id: as private.sign_in. foreign_prehash: keyed pre-hash of the typed password's hash under the
parameters of an imported one; null until the function requests it (private.foreign_prehash_error).
Errors: INVALID_IDENTIFIER (details.field phone or email), INVALID_REQUEST (details.reason not_enabled, login_refused), RATE_LIMIT_EXCEEDED (LOGIN_FAILURES_…, LOGINS_PER_PHONE); SESSION_NOT_FOUND,
SESSION_REVOKED, SESSION_MISMATCH (of the guest, and nothing is counted);
INVALID_REQUEST (details.reason second_factor_required: private.challenge_sign_in).$$;
grant execute on function api.log_in(text, text, text, text, text, uuid, text, text) to latchkey_server;
