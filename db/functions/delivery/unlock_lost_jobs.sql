create or replace function delivery.unlock_lost_jobs(worker text, in_hand bigint[])
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Longer than a worker waits for the answer to any statement: after that it will not hear of the job any more.
  c_grace constant interval := interval '20 seconds';
  v_unlocked integer;
begin
  update graphile_worker._private_jobs j set locked_at = null, locked_by = null
  where j.locked_by = unlock_lost_jobs.worker
    and j.locked_at < clock_timestamp() - c_grace
    and j.id <> all (unlock_lost_jobs.in_hand);
  get diagnostics v_unlocked = row_count;
  return v_unlocked;
end
$$;

comment on function delivery.unlock_lost_jobs(text, bigint[]) is
$$Frees the jobs that were locked for a living worker which never heard of them, because PostgreSQL or the network failed between the
commit and the answer. The queue itself would keep them locked for four hours.
worker: its pool id. in_hand: ids of all jobs that it has fetched and not ended. Result: the number of jobs.$$;
grant execute on function delivery.unlock_lost_jobs(text, bigint[]) to latchkey_worker;
