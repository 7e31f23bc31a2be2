create or replace function startup.restored()
returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.restore_kind() is not distinct from 'restore';
end
$$;

comment on function startup.restored() is
$$Whether the database was restored from a backup and platform.after_restore has not run since. A process does not start then.$$;
grant execute on function startup.restored() to latchkey_server, latchkey_worker, latchkey_graphql;
