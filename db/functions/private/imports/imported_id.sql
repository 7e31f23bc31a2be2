create or replace function private.imported_id(imported private.imported_user)
returns uuid
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select a.id from "user".account a where a.import_fingerprint = imported.fingerprint
$$;

comment on function private.imported_id(private.imported_user) is
$$The account that the same line made before; null if it made none. Found by the line's fingerprint and not by its phone, which the user may
have changed since.$$;
