begin;
select plan(6);
select test.clean_slate();
select test.queue_otp('+1202555010' || i, 'PHONE', 'LOGIN', true, clock_timestamp()) from generate_series(1, 4) i;
create temp table job on commit drop as select id, row_number() over (order by id) as n from graphile_worker._private_jobs;
grant select on job to latchkey_worker;
update graphile_worker._private_jobs j
set locked_by = case when n = 4 then 'other' else 'own' end, locked_at = clock_timestamp(), attempts = case n when 1 then 3 when 3 then 2 else 1 end
from job where job.id = j.id;
create function pg_temp.locked() returns bigint[] language sql
as $$
  select array_agg(n order by n) from graphile_worker._private_jobs j join job using (id) where j.locked_at is not null and j.locked_by is not null
$$;

select is(test.call_as('latchkey_worker',
    'delivery.unlock_lost_jobs(''own'', (select array_agg(id order by n) from job where n <> 2), ''{3,1,1}'')', null::integer), 1,
  'unlock_lost_jobs returns the number of jobs that it frees');
select is(pg_temp.locked(), array[2, 3, 4]::bigint[],
  'a job that is not named, one that was fetched again since, and another worker''s job stay locked');
select is((select j.attempts::integer from graphile_worker._private_jobs j join job using (id) where n = 1), 2,
  'the attempt that never began does not count');
select is((select j.attempts::integer from graphile_worker._private_jobs j join job using (id) where n = 3), 2,
  'a job that stays locked keeps its attempts');
select is(delivery.unlock_lost_jobs('own', '{}', '{}'), 0, 'without a lost job the result is 0');
update graphile_worker._private_jobs j set attempts = 0 from job where job.id = j.id and n = 2;
select delivery.unlock_lost_jobs('own', (select array[id] from job where n = 2), '{0}');
select is((select j.attempts::integer from graphile_worker._private_jobs j join job using (id) where n = 2 and j.locked_at is null), 0,
  'attempts do not become negative');
select * from finish();
rollback;
