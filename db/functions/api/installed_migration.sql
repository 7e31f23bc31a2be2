create or replace function api.installed_migration()
returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select private.installed_migration()
$$;

comment on function api.installed_migration() is
$$The name of the latest migration applied. A server that starts compares it with its own version.$$;
grant execute on function api.installed_migration() to latchkey_server;
