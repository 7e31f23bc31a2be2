begin;
select plan(8);
select test.clean_slate();
create temp table job on commit drop as
  select j.kind, (graphile_worker.add_job('send_otp', json_build_object('kind', j.kind), max_attempts => 5)).id
  from (values ('failed'), ('failed lately'), ('waits for its next attempt'), ('runs its last attempt'), ('was locked'), ('failed, updated lately')) j (kind);
update graphile_worker._private_jobs j
set attempts = 5, run_at = clock_timestamp() - interval '7 days 1 second', updated_at = clock_timestamp() - interval '7 days 1 second'
from job k where k.id = j.id;
update graphile_worker._private_jobs j set run_at = clock_timestamp() - interval '7 days' + interval '10 seconds'
from job k where k.id = j.id and k.kind = 'failed lately';
update graphile_worker._private_jobs j set updated_at = clock_timestamp() - interval '7 days' + interval '10 seconds'
from job k where k.id = j.id and k.kind = 'failed, updated lately';
update graphile_worker._private_jobs j set attempts = 4 from job k where k.id = j.id and k.kind = 'waits for its next attempt';
update graphile_worker._private_jobs j set locked_at = clock_timestamp(), locked_by = 'worker'
from job k where k.id = j.id and k.kind = 'runs its last attempt';
-- The library itself would complete a job that has been locked for more than four hours.
update graphile_worker._private_jobs j set locked_at = clock_timestamp() - interval '5 hours', locked_by = 'worker'
from job k where k.id = j.id and k.kind = 'was locked';

-- Dead rows of other tests may have filled the first page.
select private.clean_up_failed_jobs(1000000, 2000000);
select is((select count(*)::integer from graphile_worker._private_jobs), 6, 'pages before the first one are not read');
select private.clean_up_failed_jobs(0, 1000000);
select is((select count(*)::integer from graphile_worker._private_jobs j join job k on k.id = j.id and k.kind = x.kind), x.stays, x.description)
from (values
  ('failed', 0, 'a job whose last attempt failed more than seven days ago is deleted'),
  ('failed lately', 1, 'a job whose last attempt failed less than seven days ago stays'),
  ('failed, updated lately', 1, 'a job that was changed less than seven days ago stays'),
  ('waits for its next attempt', 1, 'a job that has an attempt left stays, however old'),
  ('runs its last attempt', 1, 'a job that runs stays'),
  ('was locked', 1, 'a job that has been locked for long stays: only its worker''s death shows that it does not run')
) x (kind, stays, description);
select test.set_setting('FAILED_JOB_RETENTION_DAYS', '6'), private.clean_up_failed_jobs(0, 1000000);
select is((select count(*)::integer from graphile_worker._private_jobs), 3, 'FAILED_JOB_RETENTION_DAYS is the age from which they are deleted');

select * from finish();
rollback;
