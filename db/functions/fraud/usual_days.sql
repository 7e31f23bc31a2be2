create or replace function fraud.usual_days()
returns integer
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select 14
$$;

comment on function fraud.usual_days() is
$$Of how many days before today the fraud rules take the mean, to know a usual day. SEND_DECISION_RETENTION_DAYS is at least one more.$$;
