create or replace function api.delete_account(
  session_id uuid, user_id uuid, password_prehash text, otp text, code_key bytea, client text,
  foreign_prehash text default null
)
returns api.deletion_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.deletion_answer;
  v_account "user".account;
  v_attempt private.password_attempt;
  v_otp api.otp_answer;
begin
  -- Read before the session: a transaction that takes the phone from an account revokes its sessions too.
  select a.* into v_account from "user".account a where a.id = delete_account.user_id;
  v_answer.error := coalesce(
    private.caller_error(delete_account.session_id, delete_account.user_id),
    private.second_factor_error(delete_account.session_id, delete_account.user_id)
  );
  if v_answer.error is null and delete_account.otp is null then
    v_attempt := row(v_account.phone, delete_account.client, delete_account.password_prehash, delete_account.foreign_prehash);
    v_answer.error := (private.settle_password(
      private.check_password(v_account, v_attempt), v_account, v_attempt, private.login_rules(v_account.id)
    )).error;
  elsif v_answer.error is null then
    v_otp := private.check_otp(row(
      'PHONE', v_account.phone, 'LOGIN', delete_account.client, delete_account.otp, delete_account.code_key, null
    )::private.code_attempt);
    v_answer.error := v_otp.error;
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  -- Read again under the account's lock: a session that a reset revoked meanwhile deletes nothing.
  perform private.lock_account(v_account.id);
  v_answer.error := private.caller_error(delete_account.session_id, delete_account.user_id);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_answer.deletion_due_at := private.schedule_deletion(v_account.id);
  -- Last, because it locks the counters of sends.
  if v_otp.otp_id is not null then
    perform private.consume_otp(v_otp.otp_id);
  end if;
  return v_answer;
end
$$;

comment on function api.delete_account(uuid, uuid, text, text, bytea, text, text) is
$$DELETE /api/v1/auth/account: revokes the caller's sessions and has its account deleted after ACCOUNT_DELETION_GRACE_SECONDS; until then
a login restores it. session_id, user_id: claims sid and sub of a verified access token. password_prehash: the server's keyed pre-hash,
or null. otp: a LOGIN code as typed, or null: exactly one of the two. code_key: as private.hash_code. client: address as limits count it. foreign_prehash: as
api.log_in. Errors: SESSION_NOT_FOUND, SESSION_REVOKED; those of private.settle_password (LOGINS_PER_PHONE) or private.check_otp; those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.delete_account(uuid, uuid, text, text, bytea, text, text) to latchkey_server;
