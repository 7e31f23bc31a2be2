create or replace function fraud.usual_days()
returns integer
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select 14
$$;

comment on function fraud.usual_days() is
$$The number of days before today whose mean the fraud rules take for a usual day. SEND_DECISION_RETENTION_DAYS is at least one more.$$;
