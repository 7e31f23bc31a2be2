create or replace function private.replace_password(phone text, password_prehash text, otp_id uuid)
returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := (private.account_for_code(replace_password.phone)).id;
  v_is_fixed boolean := private.is_fixed_code(replace_password.otp_id);
  v_password_hash text;
begin
  if v_account_id is null then
    return false;
  end if;

  -- bcrypt runs before the account is locked; the locks then follow in the order rate limits, account, sessions.
  v_password_hash := private.hash_password(replace_password.password_prehash);
  perform private.clear_login_failures(replace_password.phone);
  update "user".account a
  set password_hash = v_password_hash, updated_at = clock_timestamp(), verified_by_test_code = v_is_fixed
  where a.id = v_account_id and a.phone = replace_password.phone and (a.verified_by_test_code or not v_is_fixed);
  if not found then
    return false;
  end if;
  perform private.revoke_sessions_of_user(v_account_id);
  return true;
end
$$;

comment on function private.replace_password(text, text, uuid) is
$$Sets the password of a phone's account, revokes its sessions and forgets its failed logins; false where there is no account
that this code may open. phone: E.164. password_prehash: as private.hash_password. otp_id: as private.lock_account_for_code.$$;
