create or replace function delivery.installed_migration()
returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select private.installed_migration()
$$;

comment on function delivery.installed_migration() is
$$The name of the latest migration applied. A worker that starts compares it with its own version.$$;
grant execute on function delivery.installed_migration() to latchkey_worker;
