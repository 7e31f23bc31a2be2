create or replace function private.replace_password(identifier text, password_prehash text, otp_id uuid, client text default null)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account := private.account_for_code(replace_password.identifier);
  v_is_fixed boolean := private.is_fixed_code(replace_password.otp_id);
  v_password_hash text;
begin
  if v_account.id is null then
    return false;
  end if;

  -- bcrypt runs before the account is locked; the locks then follow in the order rate limits, account, sessions.
  v_password_hash := private.hash_password(replace_password.password_prehash);
  perform private.clear_login_failures(v_account.phone);
  update "user".account a
  set password_hash = v_password_hash, updated_at = clock_timestamp(),
      -- A code by email proves nothing about the phone.
      verified_by_test_code = case replace_password.identifier when a.phone then v_is_fixed else a.verified_by_test_code end
  where a.id = v_account.id and a.phone = v_account.phone and (a.verified_by_test_code or not v_is_fixed)
    and replace_password.identifier in (a.phone, case when a.email_verified_at is not null then a.email end);
  if not found then
    return false;
  end if;
  perform private.record_event('password.reset', v_account.id, null, '{}', replace_password.client);
  perform private.revoke_sessions_of_user(v_account.id, '{}', 'password_reset');
  return true;
end
$$;

comment on function private.replace_password(text, text, uuid, text) is
$$Sets the password of the account of a phone or verified email, revokes its sessions and forgets its failed logins; false where there is no account
that this code may open. identifier: E.164 or lower-cased email. password_prehash: as private.hash_password. otp_id: as private.lock_account_for_code. client: address as limits
count it.$$;
