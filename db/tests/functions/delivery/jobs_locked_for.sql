begin;
select plan(2);
select test.clean_slate();
select test.queue_otp('+1202555010' || i, 'PHONE', 'LOGIN', true, clock_timestamp()) from generate_series(1, 3) i;
create temp table job on commit drop as select id, row_number() over (order by id) as n from graphile_worker._private_jobs;
update graphile_worker._private_jobs j
set locked_by = case when n = 3 then 'other' else 'own' end, attempts = 2,
  locked_at = clock_timestamp() - case when n = 2 then interval '-1 second' else interval '20 seconds' end
from job where job.id = j.id;
select is(
  test.call_as('latchkey_worker', '(select array_agg((l.id, l.attempts)::text) from delivery.jobs_locked_for(''own'') l) j', null::text[]),
  (select array[(id, 2)::text] from job where n = 1),
  'a job that is locked for the worker for 20 seconds is returned with its attempt; younger ones and those of others are not');
select is((select count(*)::integer from delivery.jobs_locked_for('nobody')), 0, 'a worker without jobs has none');
select * from finish();
rollback;
