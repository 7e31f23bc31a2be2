create or replace function private.lock_account(account_id uuid)
returns "user".account
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  select a.* into v_account from "user".account a where a.id = lock_account.account_id for no key update;
  return v_account;
end
$$;

comment on function private.lock_account(uuid) is
$$An account, locked until the transaction ends, in the same way as every change locks it: a login, a reset, disabling, deleting. All null where there is
none.$$;
