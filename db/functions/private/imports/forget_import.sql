create or replace function private.forget_import()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  new.foreign_parameters := null;
  return new;
end
$$;

comment on function private.forget_import() is
$$Trigger of "user".account: whatever replaces an imported hash makes it one of this system.$$;

create or replace trigger forget_import before update of password_hash on "user".account
  for each row when (old.foreign_parameters is not null and new.password_hash is distinct from old.password_hash)
  execute function private.forget_import();
