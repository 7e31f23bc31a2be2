create or replace function delivery.queue_events()
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_attempts constant integer := 5;
  -- After messages, whose jobs have 0.
  c_priority constant integer := 10;
  v_id text;
begin
  for v_id in
    select s.id from settings.event_subscription s
    where s.enabled
      and delivery.first_due(s.id) <= clock_timestamp()
      and not exists (
        select from graphile_worker._private_jobs j
        where j.key = 'send_events ' || s.id and j.attempts < j.max_attempts
      )
  loop
    perform graphile_worker.add_job(
      'send_events', json_build_object('subscription_id', v_id), queue_name => 'send_events ' || v_id, job_key => 'send_events ' || v_id,
      max_attempts => c_attempts, priority => c_priority
    );
  end loop;
end
$$;

comment on function delivery.queue_events() is
$$Queues a job for every subscription that has events to send now, unless there is one already, be it between two attempts: each worker calls it once a second. The queue
runs one job of a subscription at a time, which keeps its events in order; one that a dead worker holds is freed like any other
(delivery.unlock_dead_workers).$$;
grant execute on function delivery.queue_events() to latchkey_worker;
