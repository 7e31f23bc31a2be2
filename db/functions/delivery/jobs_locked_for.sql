create or replace function delivery.jobs_locked_for(worker text)
returns table (id bigint, attempts integer)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Longer than a worker waits for the answer to any statement: after that the job cannot reach it any more.
  c_grace constant interval := interval '20 seconds';
begin
  return query
  select j.id::bigint, j.attempts::integer from graphile_worker._private_jobs j
  where j.locked_by = jobs_locked_for.worker and j.locked_at < clock_timestamp() - c_grace;
end
$$;

comment on function delivery.jobs_locked_for(text) is
$$The jobs that have been locked for a worker for more than 20 seconds, each with the number of its attempt. worker: its pool id.$$;
grant execute on function delivery.jobs_locked_for(text) to latchkey_worker;
