create or replace function startup.migrated_for_production()
returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.is_production();
end
$$;

comment on function startup.migrated_for_production() is
$$Whether the last migration ran with NODE_ENV=production. A process that starts in production on another database stops.$$;
grant execute on function startup.migrated_for_production() to latchkey_server, latchkey_worker;
