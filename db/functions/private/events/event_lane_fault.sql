create or replace function private.event_lane_fault(lane integer, from_at timestamptz, to_at timestamptz)
returns platform.event_fault
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_head private.event_lane;
  -- The last event that is taken for granted: the one before the first that is looked at.
  v_before private.event_base := private.event_lane_start(event_lane_fault.lane, event_lane_fault.from_at);
  v_event platform.event;
  v_fault text;
begin
  select l.* into v_head from private.event_lane l where l.lane = event_lane_fault.lane;
  for v_event in
    select e.* from platform.event e
    where e.lane = event_lane_fault.lane and e.position > v_before.position
    order by e.position, e.id
  loop
    v_fault := case
      when v_event.position <= v_before.position or v_event.position > coalesce(v_head.position, 0) then 'added'
      when v_event.position > v_before.position + 1 then 'removed'
      when v_event.hash <> private.event_hash(v_before.hash, v_event) then 'changed'
    end;
    exit when v_fault is not null or v_event.at >= event_lane_fault.to_at;
    v_before := row(v_event.lane, v_event.position, v_event.hash);
    v_event := null;
  end loop;

  if v_fault is null and v_event.id is null and v_before.position < v_head.position then
    v_fault := 'removed';
  elsif v_fault is null and v_before.position = v_head.position and v_before.hash <> v_head.hash then
    v_fault := 'changed';
  end if;
  if v_fault is null then
    return null;
  end if;
  return row(
    event_lane_fault.lane, case v_fault when 'added' then v_event.position else v_before.position + 1 end, v_fault, v_event.id, v_event.at
  )::platform.event_fault;
end
$$;

comment on function private.event_lane_fault(integer, timestamptz, timestamptz) is
$$The first event of a lane that is not as it was written; null where all are. Parameters: platform.verify_events.$$;
