create or replace function private.drop_event_partition(partition regclass)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
-- For this function alone: the migration, which calls it, goes on to wait longer for others.
set lock_timeout = '200ms'
as $$
begin
  -- Before the lock: nobody writes into such an old month, and reading it takes a while.
  execute format(
    'insert into private.event_base as b (lane, position, hash)
     select l.lane, e.position, e.hash from private.event_lane l
     cross join lateral (select * from %s e where e.lane = l.lane order by e.position desc limit 1) e
     on conflict on constraint event_base_pkey do update set position = excluded.position, hash = excluded.hash
       where b.position < excluded.position',
    drop_event_partition.partition
  );
  execute format('drop table %s', drop_event_partition.partition);
end
$$;

comment on function private.drop_event_partition(regclass) is
$$Drops a partition of platform.event, and remembers the last event of each lane in it (private.event_base): what is left can still be verified.
Waits a fifth of a second for the transactions that have written or read an event, then fails. partition: a table in schema private.$$;
