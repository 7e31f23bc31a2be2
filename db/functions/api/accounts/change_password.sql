create or replace function api.change_password(
  session_id uuid, user_id uuid, current_password_prehash text, password_prehash text, password_length integer, password_is_common boolean,
  client text, foreign_prehash text default null
)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.answer;
  v_account "user".account;
  v_attempt private.password_attempt;
  v_rules private.rate_limit_rule[] := array[private.rate_limit_rule('PASSWORD_CHANGES_PER_USER', change_password.user_id::text)];
  v_password_hash text;
begin
  -- Read before the session: a transaction that takes the phone from an account revokes its sessions too.
  select a.* into v_account from "user".account a where a.id = change_password.user_id;
  v_attempt := row(
    v_account.phone, change_password.client, change_password.current_password_prehash, change_password.foreign_prehash
  );
  v_answer.error := coalesce(
    private.caller_error(change_password.session_id, change_password.user_id),
    private.second_factor_error(change_password.session_id, change_password.user_id),
    private.password_error('newPassword', change_password.password_length, change_password.password_is_common),
    private.rate_limit_error(private.look_at_rate_limits(v_rules)),
    -- Compared before anything is locked; the locks then follow in the order rate limits, account, sessions.
    (private.settle_password(
      case when change_password.current_password_prehash is null
        then private.check_first_password(v_account, change_password.session_id)
        else private.check_password(v_account, v_attempt)
      end,
      v_account, v_attempt, v_rules
    )).error
  );
  if v_answer.error is null then
    -- Checked again: a reset or a change of phone may have revoked the session while this waited for the account.
    v_answer.error := private.caller_error(change_password.session_id, change_password.user_id);
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  -- After the verdict: a refusal that took a second bcrypt would reveal that the password was right. It holds rows of
  -- this account alone.
  v_password_hash := private.hash_password(change_password.password_prehash);
  update "user".account a set password_hash = v_password_hash, updated_at = clock_timestamp() where a.id = v_account.id;
  perform private.record_event('password.changed', v_account.id, change_password.session_id, '{}', change_password.client);
  perform private.revoke_sessions_of_user(v_account.id, array[change_password.session_id], 'password_changed');
  return v_answer;
end
$$;

comment on function api.change_password(uuid, uuid, text, text, integer, boolean, text, text) is
$$POST /api/v1/auth/password: replaces the caller's password, or sets the first one, and revokes the user's other sessions. A wrong password
counts as a failed login. session_id, user_id: claims sid and sub of a verified access token. current_password_prehash: the server's keyed
pre-hash; null: the account has no password. password_prehash, password_length, password_is_common: of the new password, as api.register.
client: address as limits count it. foreign_prehash: as api.log_in. Errors: SESSION_NOT_FOUND, SESSION_REVOKED; INVALID_REQUEST
(details.field newPassword; details.reason login_refused, recent_sign_in_required); RATE_LIMIT_EXCEEDED (PASSWORD_CHANGES_PER_USER, LOGIN_FAILURES_…); those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.change_password(uuid, uuid, text, text, integer, boolean, text, text) to latchkey_server;
