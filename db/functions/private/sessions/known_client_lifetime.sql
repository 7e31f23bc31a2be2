create or replace function private.known_client_lifetime()
returns interval
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select interval '30 days'
$$;

comment on function private.known_client_lifetime() is
$$How long a client from which an account logged in stays known.$$;
