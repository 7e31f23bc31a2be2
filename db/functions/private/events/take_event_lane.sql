create or replace function private.take_event_lane()
returns private.event_lane
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_usual constant integer := 64;
  v_lane private.event_lane;
begin
  -- Most often this backend's own lane is free, and a transaction finds the one that it holds already.
  select l.* into v_lane from private.event_lane l where l.lane = 1 + pg_backend_pid() % c_usual for no key update skip locked;
  if not found then
    select l.* into v_lane from private.event_lane l limit 1 for no key update skip locked;
  end if;
  if not found then
    insert into private.event_lane as l default values returning l.* into v_lane;
  end if;
  return v_lane;
end
$$;

comment on function private.take_event_lane() is
$$Locks a lane until the transaction ends, or until the savepoint is rolled back to that it was taken after. It never waits, so no other transaction's
commit holds an event up, and no lock order has to name it: a lane that another transaction holds is passed over, and where all are held
there is one more. Result: the lane with its last event.$$;
