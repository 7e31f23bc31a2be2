create or replace function private.add_event_partition(month timestamptz)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_start timestamp := add_event_partition.month at time zone 'UTC';
  v_name text := to_char(v_start, '"event_"YYYY_MM');
  v_first uuid := private.first_id(add_event_partition.month);
  v_end uuid := private.first_id((v_start + interval '1 month') at time zone 'UTC');
begin
  if to_regclass('private.' || v_name) is not null
    -- They were written while there was no partition for them, and stay where they are.
    or exists (select from private.event_other o where o.id >= v_first and o.id < v_end) then
    return;
  end if;
  perform private.attach_event_partition(v_name, 'Events of ' || to_char(v_start, 'YYYY-MM'), v_first, v_end);
end
$$;

comment on function private.add_event_partition(timestamptz) is
$$Makes the partition of platform.event for a month, unless there is one, or the month has events in private.event_other already. month: its first
moment, UTC. Fails where it would have to wait.$$;
