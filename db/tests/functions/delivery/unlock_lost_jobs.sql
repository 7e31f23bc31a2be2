begin;
select plan(5);
select test.clean_slate();
select private.queue_otp('+1202555010' || i, 'PHONE', 'LOGIN', true, clock_timestamp()) from generate_series(1, 4) i;
create function pg_temp.job(phone text) returns bigint language sql
as $$
  select j.id from graphile_worker._private_jobs j join platform.otp_transaction o on o.id::text = j.payload ->> 'otp_id'
  where o.identifier = phone
$$;
create function pg_temp.locked() returns text[] language sql
as $$
  select array_agg(o.identifier order by o.identifier)
  from graphile_worker._private_jobs j join platform.otp_transaction o on o.id::text = j.payload ->> 'otp_id'
  where j.locked_at is not null and j.locked_by is not null
$$;
update graphile_worker._private_jobs j set
  locked_by = case when j.id = pg_temp.job('+12025550104') then 'other' else 'own' end,
  locked_at = clock_timestamp() - case when j.id = pg_temp.job('+12025550103') then interval '0' else interval '21 seconds' end;

select is(test.call_as('latchkey_worker', format('delivery.unlock_lost_jobs(''own'', array[%s])', pg_temp.job('+12025550102')), null::integer), 1,
  'unlock_lost_jobs returns the number of jobs that it frees');
select is(pg_temp.locked(), array['+12025550102', '+12025550103', '+12025550104'],
  'a job that its worker has in hand, a job of the last 20 seconds and another worker''s job stay locked');
select is(delivery.unlock_lost_jobs('own', array[pg_temp.job('+12025550102')]), 0, 'where nothing is lost the result is 0');
select is(delivery.unlock_lost_jobs('own', '{}'), 1, 'a worker without any job in hand has lost all of its jobs');
update graphile_worker._private_jobs set locked_at = clock_timestamp() - interval '20 seconds' where locked_by = 'own';
select is(delivery.unlock_lost_jobs('own', '{}'), 1, 'a job counts as lost after 20 seconds');

select * from finish();
rollback;
