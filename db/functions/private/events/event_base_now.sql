create or replace function private.event_base_now(lane integer)
returns setof private.event_base
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select b.* from private.event_base b where b.lane = event_base_now.lane
$$;

comment on function private.event_base_now(integer) is
$$The last event of a lane that went with a month that was dropped; none: none has. Volatile, so it knows of a month that was dropped since the snapshot of
its caller, who finds no events of that month either.$$;
