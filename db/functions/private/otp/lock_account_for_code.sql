create or replace function private.lock_account_for_code(identifier text, otp_id uuid)
returns "user".account
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_is_fixed boolean := private.is_fixed_code(lock_account_for_code.otp_id);
begin
  perform private.lock_account((private.account_for_code(lock_account_for_code.identifier)).id);
  -- Read after the lock: a reset, a change of phone or email, an import or an admin may have changed or made the account while
  -- this waited.
  v_account := private.account_for_code(lock_account_for_code.identifier);
  if v_is_fixed and not v_account.verified_by_test_code then
    return null;
  end if;
  if v_account.verified_by_test_code and not v_is_fixed and v_account.phone = lock_account_for_code.identifier then
    update "user".account a set verified_by_test_code = false where a.id = v_account.id returning a.* into v_account;
  end if;
  return v_account;
end
$$;

comment on function private.lock_account_for_code(text, uuid) is
$$private.account_for_code, with the account's row locked until the transaction ends. A fixed code opens only an account that fixed codes alone
have confirmed, and a code that was sent to the phone ends that. Only for the caller with the right code: to others the
time of a lock would show that there is an account. identifier: E.164 or lower-cased email. otp_id: the one-time password whose code private.check_otp found right.$$;
