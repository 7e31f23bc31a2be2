create or replace function api.installed_migration()
returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select private.installed_migration()
$$;

comment on function api.installed_migration() is
$$The name of the latest migration applied, by which a server that starts tells that the database is of another version.$$;
grant execute on function api.installed_migration() to latchkey_server;
