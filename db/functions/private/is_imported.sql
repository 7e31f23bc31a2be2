create or replace function private.is_imported(imported private.imported_user)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from "user".account a where a.import_fingerprint = imported.fingerprint)
$$;

comment on function private.is_imported(private.imported_user) is
$$Whether the same line was imported before: by its fingerprint and not by its phone, which the user may have changed since.$$;
