begin;
select plan(5);
do $$ begin
  delete from private.worker_heartbeat;
  set local role latchkey_worker;
  perform delivery.heartbeat('one', true);
  perform delivery.heartbeat('two', false);
  reset role;
end $$;

select results_eq('select worker, can_send from private.worker_heartbeat order by worker', $$values ('one', true), ('two', false)$$,
  'each worker has a row, which says whether it can send');
update private.worker_heartbeat set at = clock_timestamp() - interval '59 seconds';
do $$ begin perform delivery.heartbeat('two', true); end $$;
select is((select can_send from private.worker_heartbeat where worker = 'two'), true, 'the next heartbeat replaces the one before');
select is((select count(*)::integer from private.worker_heartbeat), 2, 'a worker that was silent for less than a minute stays');
update private.worker_heartbeat set at = clock_timestamp() - interval '1 minute';
do $$ begin perform delivery.heartbeat('two', true); end $$;
select results_eq('select worker from private.worker_heartbeat', array['two'], 'one that was silent for a minute is deleted');
select ok((select at > clock_timestamp() - interval '10 seconds' from private.worker_heartbeat where worker = 'two'),
  'one that was silent itself comes back');

select * from finish();
rollback;
