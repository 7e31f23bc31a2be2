create or replace function api.remove_email(
  session_id uuid, user_id uuid, password_prehash text, client text, languages text[] default '{}', foreign_prehash text default null
)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.answer;
  v_account "user".account;
  v_attempt private.password_attempt;
  v_check private.password_check;
begin
  -- Read before the session: a transaction that takes the phone from an account revokes its sessions too.
  select a.* into v_account from "user".account a where a.id = remove_email.user_id;
  v_answer.error := coalesce(private.email_error(), private.caller_error(remove_email.session_id, remove_email.user_id),
    private.second_factor_error(remove_email.session_id, remove_email.user_id)
  );
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  v_attempt := row(v_account.phone, remove_email.client, remove_email.password_prehash, remove_email.foreign_prehash);
  v_check := case
    when remove_email.password_prehash is null then private.check_recent_sign_in(remove_email.session_id)
    else private.check_password(v_account, v_attempt)
  end;
  -- After bcrypt, and before the limits and the account, as everywhere.
  perform private.lock_emails(array[v_account.email]);
  v_answer.error := (private.settle_password(v_check, v_account, v_attempt, private.login_rules(v_account.id))).error;
  if v_answer.error is null then
    v_answer.error := private.replace_email(
      remove_email.session_id, remove_email.user_id, null, remove_email.languages, remove_email.client
    );
  end if;
  return v_answer;
end
$$;

comment on function api.remove_email(uuid, uuid, text, text, text[], text) is
$$DELETE /api/v1/auth/email: takes the email from the caller's account, and tells its phone and the email, if that was verified. An account
without one stays as it is. A wrong password counts as a failed login. session_id, user_id: claims sid and sub of a verified access token.
password_prehash: the server's keyed pre-hash; null: the caller has signed in within 10 minutes. client: address as limits count it.
languages: of the notices, as api.send_otp. foreign_prehash: as api.log_in. Errors: SESSION_NOT_FOUND, SESSION_REVOKED; INVALID_REQUEST
(details.reason not_enabled, recent_sign_in_required); those of private.settle_password (LOGINS_PER_PHONE); those of private.caller_error and private.second_factor_error.$$;
grant execute on function api.remove_email(uuid, uuid, text, text, text[], text) to latchkey_server;
