create or replace function private.is_imported(account "user".account)
returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return account.foreign_parameters is not null;
end
$$;

comment on function private.is_imported("user".account) is
$$Whether an account's password is still that of another system: its first login replaces the hash.$$;
