begin;
select plan(10);
select test.clean_slate();
select test.queue_otp('+1202555010' || i, 'PHONE', 'LOGIN', true, clock_timestamp()) from generate_series(1, 4) i;
update graphile_worker._private_jobs j set
  locked_by = case when j.payload ->> 'otp_id' in (
    select o.id::text from platform.otp_transaction o where o.identifier in ('+12025550101', '+12025550102')) then 'dead' else 'young' end;
update graphile_worker._private_jobs set locked_at = clock_timestamp() - interval '4 seconds' where locked_by = 'dead';
update graphile_worker._private_jobs set locked_at = clock_timestamp() + interval '1 minute' where locked_by = 'young';

select is(test.call_as('latchkey_worker', 'delivery.unlock_dead_workers()', null::integer), 1,
  'unlock_dead_workers returns the number of dead workers: one that holds jobs but not its advisory lock');
select is((select count(*)::integer from graphile_worker._private_jobs where locked_by = 'dead' or locked_at is null), 2,
  'the dead worker held two jobs');
select is((select count(*)::integer from graphile_worker._private_jobs where locked_by is null and locked_at is null), 2,
  'both jobs of the dead worker are unlocked');
select is((select count(*)::integer from graphile_worker._private_jobs where locked_by = 'young'), 2,
  'jobs locked less than three seconds ago stay locked: their worker may not have its advisory lock yet');

-- A worker checks on the connection that holds its own lock, where PostgreSQL grants that lock a second time.
select pg_advisory_lock(hashtextextended('latchkey worker caller', 0));
update graphile_worker._private_jobs set locked_by = 'caller', locked_at = clock_timestamp() - interval '4 seconds' where locked_at is null;
select is(delivery.unlock_dead_workers(), 0, 'a worker does not unlock its own jobs, however long a vendor takes');
update graphile_worker._private_jobs set locked_by = null, locked_at = null where locked_by = 'caller';

-- A second connection would be needed to hold a worker's lock, so the test reads which locks the call has acquired.
create temp table lock on commit drop as
  select (l.classid::bigint << 32) | l.objid::bigint as key from pg_locks l
  where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.objsubid = 1;
select ok((select bool_or(key = hashtextextended('latchkey worker dead', 0)) from lock),
  'a worker counts as dead when the advisory lock of its pool''s id is free');
select ok((select not coalesce(bool_or(key = hashtextextended('latchkey worker young', 0)), false) from lock),
  'the advisory lock of a worker that just locked its jobs is not tested');

-- A second ahead, so that a slow machine has four until the worker counts as dead.
update graphile_worker._private_jobs set locked_at = clock_timestamp() + interval '1 second' where locked_by = 'young';
select is(delivery.unlock_dead_workers(), 0, 'without a dead worker the result is 0');
update graphile_worker._private_jobs set locked_at = clock_timestamp() - interval '3 seconds' where locked_by = 'young';
select is(delivery.unlock_dead_workers(), 1, 'after three seconds a worker without its advisory lock counts as dead');
select is((select count(*)::integer from graphile_worker._private_jobs where locked_at is not null), 0,
  'every job is unlocked in the end');

select * from finish();
rollback;
