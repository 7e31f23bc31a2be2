create or replace function private.registration_lifetime()
returns interval
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select interval '24 hours'
$$;

comment on function private.registration_lifetime() is
$$How long a registration waits for its verification.$$;
