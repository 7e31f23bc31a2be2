create or replace function private.remember_rights()
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  delete from private.granted_right;
  insert into private.granted_right (line) select distinct f.line from private.rights_in_force() f (line)
$$;

comment on function private.remember_rights() is
$$Stores what is in force, for private.missing_rights. The last step of each migration.$$;
revoke all on function private.remember_rights() from public;
