create or replace function platform.verify_events(from_at timestamptz default null, to_at timestamptz default null)
returns setof platform.event_fault
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_lane integer;
  v_fault platform.event_fault;
begin
  if verify_events.from_at >= verify_events.to_at then
    raise exception 'from_at must be before to_at.' using errcode = 'check_violation', constraint = 'events_may_be_verified';
  end if;

  for v_lane in select l.lane from private.event_lane l union select e.lane from platform.event e order by 1 loop
    v_fault := private.event_lane_fault(v_lane, verify_events.from_at, verify_events.to_at);
    if v_fault.fault is not null then
      return next v_fault;
    end if;
  end loop;
end
$$;

comment on function platform.verify_events(timestamptz, timestamptz) is
$$Query verify_events: the first event of each lane that was removed, added or changed since it was written; none where all are as they were. Stable: it
sees one moment, whatever is written meanwhile. from_at: the first time; null: the oldest event that is kept. to_at: the time after the last one;
null: all, also that none is missing at the end. Each takes about a second for 100,000 events.$$;
grant execute on function platform.verify_events(timestamptz, timestamptz) to latchkey_admin;
