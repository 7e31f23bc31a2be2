create or replace function private.heartbeat_lifetime()
returns interval
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select interval '30 seconds'
$$;

comment on function private.heartbeat_lifetime() is
$$How long a worker counts as alive after a heartbeat. It writes one every 10 seconds, so it may miss two.$$;
