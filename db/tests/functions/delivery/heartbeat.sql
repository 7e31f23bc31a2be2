begin;
select plan(6);
delete from private.worker_heartbeat;
set local role latchkey_worker;
select delivery.heartbeat('one', true, array['console', 'twilio']);
select delivery.heartbeat('two', false);
reset role;

select results_eq('select worker, can_send from private.worker_heartbeat order by worker', $$values ('one', true), ('two', false)$$,
  'each worker has one row, which tells whether it can send');
select results_eq('select worker, providers from private.worker_heartbeat order by worker',
  $$values ('one', array['console', 'twilio']), ('two', null)$$, 'and the providers for which it has what they need');
update private.worker_heartbeat set at = clock_timestamp() - interval '30 seconds';
select delivery.heartbeat('two', true);
select is((select can_send from private.worker_heartbeat where worker = 'two'), true,
  'a heartbeat replaces the worker''s previous one');
select is((select count(*)::integer from private.worker_heartbeat), 2,
  'a worker that was silent for less than a minute keeps its row');
update private.worker_heartbeat set at = clock_timestamp() - interval '1 minute';
select delivery.heartbeat('two', true);
select results_eq('select worker from private.worker_heartbeat', array['two'],
  'a worker that was silent for a minute loses its row');
select ok((select at > clock_timestamp() - interval '10 seconds' from private.worker_heartbeat where worker = 'two'),
  'a worker that was silent for a minute gets a row again with its next heartbeat');

select * from finish();
rollback;
