create or replace function private.installed_migration()
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select max(a.name) from migration.applied a
$$;

comment on function private.installed_migration() is
$$The name of the latest migration applied.$$;
