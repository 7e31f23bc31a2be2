begin;
select plan(9);
select test.clean_slate();
select test.subscribe('crm', 'session.opened');
select test.subscribe('ledger', 'session.opened');
delete from platform.event_delivery;
select delivery.queue_events();
select is_empty('select from graphile_worker._private_jobs', 'where nothing waits no job is queued');

select private.record_event('session.opened', gen_random_uuid());
update platform.event_delivery set next_at = now() + interval '1 minute' where subscription_id = 'ledger';
select delivery.queue_events();
select results_eq(
  $$select t.identifier, j.payload::jsonb, q.queue_name, j.priority::integer from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    join graphile_worker._private_job_queues q on q.id = j.job_queue_id$$,
  $$values ('send_events', '{"subscription_id": "crm"}'::jsonb, 'send_events crm', 10)$$,
  'a subscription with an event to send now gets a job, after messages, in a queue of its own');
select delivery.queue_events();
select is((select count(*)::integer from graphile_worker._private_jobs), 1, 'one is enough');
update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker';
select delivery.queue_events();
select is((select count(*)::integer from graphile_worker._private_jobs), 1, 'also while it runs');
update graphile_worker._private_jobs set locked_at = null, locked_by = null, attempts = 1, run_at = now() + interval '1 minute';
select delivery.queue_events();
select is((select run_at > now() from graphile_worker._private_jobs), true, 'and while it waits for its next attempt');
update graphile_worker._private_jobs set attempts = max_attempts;
select delivery.queue_events();
select is((select row(count(*), min(j.attempts))::text from graphile_worker._private_jobs j where j.attempts < j.max_attempts), '(1,0)', 'one that failed for good is followed by another');
delete from graphile_worker._private_jobs;
update platform.event_delivery set failed_at = now();
select delivery.queue_events();
select is_empty('select from graphile_worker._private_jobs', 'what was given up needs no job');
update platform.event_delivery set failed_at = null;
alter table settings.event_subscription disable trigger drop_of_disabled;
update settings.event_subscription set enabled = false where id = 'crm';
select delivery.queue_events();
select is_empty('select from graphile_worker._private_jobs', 'nor does a subscription that is off');
update platform.event_delivery set next_at = now();
select delivery.queue_events();
select is((select payload::jsonb ->> 'subscription_id' from graphile_worker._private_jobs), 'ledger', 'an event is due after its wait');
select * from finish();
rollback;
