create or replace function private.clean_up_failed_jobs(first_page bigint, end_page bigint)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_before timestamptz := clock_timestamp() - private.setting_days('FAILED_JOB_RETENTION_DAYS');
begin
  -- The library deletes a job by completing it, and would wait for a row that somebody holds: so the rows are locked first.
  perform graphile_worker.complete_jobs(array(
    select t.id
    from graphile_worker._private_jobs t
    where t.ctid >= v_first and t.ctid < v_end
      -- A job that runs has already counted this attempt: it is locked.
      and t.attempts >= t.max_attempts and t.locked_at is null
      and greatest(t.updated_at, t.run_at) < v_before
    for update skip locked
  ));
end
$$;

comment on function private.clean_up_failed_jobs(bigint, bigint) is
$$Deletes jobs that have used up their attempts, FAILED_JOB_RETENTION_DAYS after the latest one. A job that runs or may still run stays.
Reads the pages from first_page to the one before end_page and skips locked rows, which the next run finds again.$$;
