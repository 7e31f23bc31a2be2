begin;
select plan(5);
delete from private.worker_heartbeat;
set local role latchkey_worker;
select delivery.heartbeat('one', true);
select delivery.heartbeat('two', false);
reset role;

select results_eq('select worker, can_send from private.worker_heartbeat order by worker', $$values ('one', true), ('two', false)$$,
  'each worker has a row, which says whether it can send');
update private.worker_heartbeat set at = clock_timestamp() - interval '59 seconds';
select delivery.heartbeat('two', true);
select is((select can_send from private.worker_heartbeat where worker = 'two'), true, 'the next heartbeat replaces the one before');
select is((select count(*)::integer from private.worker_heartbeat), 2, 'a worker that was silent for less than a minute stays');
update private.worker_heartbeat set at = clock_timestamp() - interval '1 minute';
select delivery.heartbeat('two', true);
select results_eq('select worker from private.worker_heartbeat', array['two'], 'one that was silent for a minute is deleted');
select ok((select at > clock_timestamp() - interval '10 seconds' from private.worker_heartbeat where worker = 'two'),
  'one that was silent itself comes back');

select * from finish();
rollback;
