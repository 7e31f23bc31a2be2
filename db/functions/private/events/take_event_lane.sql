create or replace function private.take_event_lane(out lane integer, out "position" bigint, out hash bytea, out tid tid)
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_usual constant integer := 64;
  v_lane integer := 1 + floor(random() * c_usual)::integer;
  v_hint text := current_setting('latchkey.event_lane', true);
begin
  -- The one that this transaction has written to before. By the place of its row: a transaction with thousands of events
  -- would read all earlier versions of it at each. Whatever somebody else may have set, only a free lane is found there.
  if v_hint ~ '^\([0-9]{1,9},[0-9]{1,4}\)$' then
    select l.*, l.ctid into lane, "position", hash, tid from private.event_lane l where l.ctid = v_hint::tid for no key update skip locked;
  end if;
  -- By chance: so all share the earlier versions of rows, also where a few backends do all the work.
  if lane is null then
    select l.*, l.ctid into lane, "position", hash, tid from private.event_lane l
    where l.lane = v_lane
    for no key update skip locked;
  end if;
  if lane is null then
    select l.*, l.ctid into lane, "position", hash, tid from private.event_lane l limit 1 for no key update skip locked;
  end if;
  if lane is null then
    insert into private.event_lane as l default values returning l.*, l.ctid into lane, "position", hash, tid;
  end if;
end
$$;

comment on function private.take_event_lane() is
$$Locks a lane until the transaction ends, or until the savepoint is rolled back to that it was taken after. It never waits, so no other transaction's
commit holds an event up, and no lock order has to name it: a lane that another transaction holds is passed over, and where all are held
there is one more. Result: the lane with its last event, and where its row is.$$;
