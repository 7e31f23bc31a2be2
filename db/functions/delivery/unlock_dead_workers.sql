create or replace function delivery.unlock_dead_workers()
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A worker that has just locked its first job may not hold its advisory lock yet.
  c_grace constant interval := interval '3 seconds';
  -- PostgreSQL grants a session its own advisory lock a second time: without this list a worker would unlock the jobs
  -- that it runs.
  v_own bigint[] := array(
    select (l.classid::bigint << 32) | l.objid::bigint from pg_locks l
    where l.locktype = 'advisory' and l.objsubid = 1 and l.pid = pg_backend_pid()
  );
  v_dead text[];
begin
  -- A live worker holds the advisory lock of its pool's id: an id that can be locked here belongs to a dead one.
  select array_agg(holder.locked_by) into v_dead
  from (
    select distinct j.locked_by from graphile_worker._private_jobs j
    where j.locked_at < clock_timestamp() - c_grace and hashtextextended('latchkey worker ' || j.locked_by, 0) <> all (v_own)
  ) holder
  where pg_try_advisory_xact_lock(hashtextextended('latchkey worker ' || holder.locked_by, 0));

  if v_dead is null then
    return 0;
  end if;
  perform graphile_worker.force_unlock_workers(v_dead);
  return cardinality(v_dead);
end
$$;

comment on function delivery.unlock_dead_workers() is
$$Frees the jobs of workers that died (kill -9), which the queue itself would keep locked for four hours. A worker is alive while
it holds pg_advisory_lock(hashtextextended('latchkey worker ' || pool id, 0)). Result: the number of dead workers found.$$;
grant execute on function delivery.unlock_dead_workers() to latchkey_worker;
