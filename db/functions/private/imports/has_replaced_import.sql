create or replace function private.has_replaced_import(account "user".account, earlier "user".account, password_prehash text)
returns boolean
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.is_imported(earlier) and not private.is_imported(account)
    and private.is_hash_of(has_replaced_import.password_prehash, account.password_hash);
end
$$;

comment on function private.has_replaced_import("user".account, "user".account, text) is
$$Whether the first login after an import has replaced an account's hash since it was read, by one of the same password: of two such logins
at once the second compares the typed password with the new hash. account: as it is now. earlier: as it was read.
password_prehash: the server's keyed pre-hash.$$;
