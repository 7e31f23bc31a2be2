create or replace function private.remember_rights()
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  with in_force as (
    select distinct f.line from private.rights_in_force() f (line)
  ),
  gone as (
    delete from private.granted_right r where not exists (select from in_force f where f.line = r.line)
  )
  insert into private.granted_right (line) select f.line from in_force f
  on conflict do nothing
$$;

comment on function private.remember_rights() is
$$Stores the rights in force, for private.missing_rights. The last step of each migration.$$;
