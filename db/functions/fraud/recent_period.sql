create or replace function fraud.recent_period()
returns interval
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select interval '24 hours'
$$;

comment on function fraud.recent_period() is
$$The period before now for which the fraud rules count all sends and the unverified ones.$$;
