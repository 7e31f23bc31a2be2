create or replace function private.verification_state_lifetime()
returns interval
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select interval '30 days'
$$;

comment on function private.verification_state_lifetime() is
$$How long after the latest one wrong codes in a row are kept.$$;
