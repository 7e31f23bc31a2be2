begin;
select plan(5);
select test.clean_slate();
create temp table id on commit drop as select gen_random_uuid() as otp_id;
select private.queue_send(otp_id, null) from id;
select results_eq('select * from test.queued_payloads()', 'select jsonb_build_object(''otp_id'', otp_id) from id',
  'the job contains only the id of the one-time password');
select is((select row(j.max_attempts, j.run_at <= now())::text from graphile_worker._private_jobs j), '(5,t)',
  'the job runs at once, and five times at most');
select is((select row(j.job_queue_id, j.locked_at)::text from graphile_worker._private_jobs j), '(,)',
  'the job belongs to no named queue, so jobs run in parallel');
select private.queue_send(otp_id, now() + interval '8 seconds') from id;
select results_eq('select j.run_at from graphile_worker._private_jobs j order by j.id',
  $$select now() union all select now() + interval '8 seconds'$$,
  'another job for the same one-time password is queued beside the first, for the time that was given');
delete from graphile_worker._private_jobs;
set local latchkey.request to '{"request_id": "one", "otp_id": "another"}';
select private.queue_send(otp_id, null) from id;
select results_eq('select * from test.queued_payloads()', 'select jsonb_build_object(''request_id'', ''one'', ''otp_id'', otp_id) from id',
  'the job carries the ids of the request that caused it, which cannot name another one-time password');
select * from finish();
rollback;
