create or replace function private.lock_account_for_code(phone text)
returns "user".account
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from "user".account a where a.phone = lock_account_for_code.phone for no key update;
  -- Read after the lock: a reset, a change of phone or an admin may have changed the account while this waited.
  return private.account_for_code(lock_account_for_code.phone);
end
$$;

comment on function private.lock_account_for_code(text) is
$$private.account_for_code, with the account's row locked until the transaction ends. Only for the caller with the right code: to others the
time of a lock would show that there is an account. phone: E.164.$$;
