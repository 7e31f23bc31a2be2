create or replace function private.queue_send(otp_id uuid, run_at timestamptz)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Bounds the attempts of the queue, which repeats the job only if the worker died or lost the database.
  c_attempts constant integer := 5;
  v_request jsonb := nullif(current_setting('latchkey.request', true), '')::jsonb;
begin
  perform graphile_worker.add_job(
    'send_otp', (coalesce(v_request, '{}') || jsonb_build_object('otp_id', queue_send.otp_id))::json, run_at => queue_send.run_at, max_attempts => c_attempts,
    -- A key that no other job has, so no job is replaced. For a job without a key graphile_worker.add_job reads all
    -- jobs.
    job_key => gen_random_uuid()::text, job_key_mode => 'unsafe_dedupe'
  );
end
$$;

comment on function private.queue_send(uuid, timestamptz) is
$$Queues the job that sends a one-time password. It carries the id, and those of the request that caused it, which the caller has put into
the setting latchkey.request (a JSON object), for the worker's log and traces; the code is made just before it is sent
(delivery.issue_otp_code). run_at: not before then; null: now.$$;
