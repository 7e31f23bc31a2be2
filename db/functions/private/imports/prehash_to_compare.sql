create or replace function private.prehash_to_compare(stored "user".account, attempt private.password_attempt)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  return case when stored.foreign_parameters is null then attempt.password_prehash else attempt.foreign_prehash end;
end
$$;

comment on function private.prehash_to_compare("user".account, private.password_attempt) is
$$The pre-hash that bcrypt compares with a stored password: of an imported one that of its hash under the foreign parameters.
stored: the account, or its decoy.$$;
