create or replace function private.phones_of_account(account "user".account)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array_remove(array[account.phone], null);
end
$$;

comment on function private.phones_of_account("user".account) is
$$Every phone by which rows may lead to an account: what an erasure searches for, in E.164.$$;
