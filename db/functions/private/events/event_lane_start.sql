create or replace function private.event_lane_start(lane integer, from_at timestamptz)
returns private.event_base
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_start private.event_base;
  v_first bigint;
begin
  select b.* into v_start from private.event_base_now(event_lane_start.lane) b;
  if v_start.lane is null then
    v_start := row(event_lane_start.lane, 0::bigint, decode(repeat('00', 32), 'hex'));
  end if;
  v_first := (
    select min(e.position) from platform.event e
    where e.lane = event_lane_start.lane and e.id >= private.first_id(event_lane_start.from_at) and e.at >= event_lane_start.from_at
  );
  return coalesce(
    (
      select row(e.lane, e.position, e.hash)::private.event_base from platform.event e
      where e.lane = event_lane_start.lane and e.position > v_start.position and e.position < v_first
      order by e.position desc
      limit 1
    ),
    v_start
  );
end
$$;

comment on function private.event_lane_start(integer, timestamptz) is
$$The event after which a lane is verified: the last one before a time or, where there is none, what the months that were dropped ended with. Zeros for a lane from its
beginning. from_at: null: from the oldest event on.$$;
