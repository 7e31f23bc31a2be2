create or replace function private.queue_send(otp_id uuid, run_at timestamptz)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Counts only what a worker could not end itself: its death, or the loss of the database.
  c_attempts constant integer := 5;
begin
  perform graphile_worker.add_job(
    'send_otp', json_build_object('otp_id', queue_send.otp_id), run_at => queue_send.run_at, max_attempts => c_attempts,
    -- A key that no other job has, so nothing is dropped. The modes for jobs without a key read all jobs to find one that has it.
    job_key => gen_random_uuid()::text, job_key_mode => 'unsafe_dedupe'
  );
end
$$;

comment on function private.queue_send(uuid, timestamptz) is
$$Queues the job that sends a one-time password. It carries only the id; the code is made just before it is sent
(delivery.issue_otp_code). run_at: not before then; null: now.$$;
