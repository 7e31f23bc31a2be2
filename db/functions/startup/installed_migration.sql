create or replace function startup.installed_migration()
returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select max(a.name) from migration.applied a
$$;

comment on function startup.installed_migration() is
$$The name of the latest migration applied. A process that starts compares it with its own version.$$;
grant execute on function startup.installed_migration() to latchkey_server, latchkey_worker, latchkey_graphql;
