create or replace function delivery.unlock_lost_jobs(worker text, ids bigint[], attempts integer[])
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_unlocked integer;
begin
  update graphile_worker._private_jobs j set locked_at = null, locked_by = null, attempts = greatest(0, j.attempts - 1)
  where j.id = any (array(
    select l.id
    from graphile_worker._private_jobs l
    join unnest(unlock_lost_jobs.ids, unlock_lost_jobs.attempts) lost (id, attempt) on lost.id = l.id and lost.attempt = l.attempts
    where l.locked_by = unlock_lost_jobs.worker
    -- A job whose row is locked is being completed: it is not lost.
    for update of l skip locked
  ));
  get diagnostics v_unlocked = row_count;
  return v_unlocked;
end
$$;

comment on function delivery.unlock_lost_jobs(text, bigint[], integer[]) is
$$Frees jobs that were locked for a live worker which never received them, because PostgreSQL or the network failed between the commit
and the answer. The queue itself would keep them locked for four hours. The attempt that never began does not count.
worker: its pool id. ids, attempts: of delivery.jobs_locked_for, those that it never received. Result: the number of jobs.$$;
grant execute on function delivery.unlock_lost_jobs(text, bigint[], integer[]) to latchkey_worker;
