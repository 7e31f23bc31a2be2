begin;
select plan(23);
select test.clean_slate();
select test.subscribe('crm', 'session.opened');
select test.subscribe('ledger', 'session.opened');
delete from platform.event_delivery;
create temp table actor on commit drop as select gen_random_uuid() as alice, gen_random_uuid() as bob;
select private.record_event('session.opened', alice, data => '{"n": 1}') from actor;
select private.record_event('session.opened', alice, data => '{"n": 2}') from actor;
select private.record_event('session.opened', bob, data => '{"n": 3}') from actor;
create function pg_temp.id(n integer) returns uuid language sql as $$select e.id from platform.event e where e.data ->> 'n' = id.n::text$$;
create function pg_temp.delivery(n integer) returns platform.event_delivery language sql as $$
  select d from platform.event_delivery d where d.subscription_id = 'crm' and d.event_id = pg_temp.id(delivery.n)
$$;

select delivery.record_event_deliveries('crm', array[pg_temp.id(1)], array['HTTP 503']);
select is((select row(d.attempts, d.last_error, d.failed_at)::text from pg_temp.delivery(1) d), '(1,"HTTP 503",)', 'a failed attempt is counted, with its reason');
select ok((pg_temp.delivery(1)).next_at between clock_timestamp() + interval '3 s' and clock_timestamp() + interval '6 s', 'and tried again after a wait');
select is((pg_temp.delivery(2)).next_at, (pg_temp.delivery(1)).next_at, 'the account''s next event waits for it');
select ok((pg_temp.delivery(3)).next_at <= clock_timestamp(), 'another account''s does not');
select is((select row(s.last_error, s.last_failure_at > now(), s.last_success_at)::text from platform.event_subscription_state s where s.subscription_id = 'crm'), '("HTTP 503",t,)',
  'the subscription shows it');
select is((select s.last_error from platform.event_subscription_state s where s.subscription_id = 'ledger'), null, 'and no other one');
select is((select count(*)::integer from platform.event_delivery d where d.subscription_id = 'ledger' and d.next_at <= clock_timestamp()), 3, 'for which nothing waits');

select test.age_deliveries('23 hours 59 minutes');
select delivery.record_event_deliveries('crm', array[pg_temp.id(1)], array[repeat('x', 300)]);
select is((select row(d.attempts, length(d.last_error), d.failed_at)::text from pg_temp.delivery(1) d), '(2,200,)', 'within a day it is tried again; a reason is bounded');
select test.age_deliveries('1 minute');
select delivery.record_event_deliveries('crm', array[pg_temp.id(1)], array['HTTP 503']);
select ok((pg_temp.delivery(1)).failed_at > now(), 'after a day it is given up');
select is((pg_temp.delivery(2)).failed_at, null, 'and the next one is not');
select delivery.record_event_deliveries('crm', array[pg_temp.id(1)], array['HTTP 503']);
select is((pg_temp.delivery(1)).attempts, 3, 'a call that is repeated then counts nothing');

select delivery.record_event_deliveries('crm', array[pg_temp.id(2)], array[null]::text[]);
select is((pg_temp.delivery(2)).event_id, null, 'what was taken is deleted');
select is((pg_temp.delivery(3)).event_id, pg_temp.id(3), 'and nothing else of the subscription');
select ok(exists (select from platform.event_delivery d where d.subscription_id = 'ledger' and d.event_id = pg_temp.id(2)), 'nor of another one');
select is((select s.last_error from platform.event_subscription_state s where s.subscription_id = 'crm'), 'HTTP 503', 'the subscription keeps its last error');
select ok((select s.last_success_at > now() from platform.event_subscription_state s where s.subscription_id = 'crm'), 'and the subscription shows when');
select lives_ok($$select delivery.record_event_deliveries('crm', array[pg_temp.id(2)], array[null]::text[])$$, 'a second time it changes nothing');
select delivery.record_event_deliveries('crm', array[pg_temp.id(1)], array[null]::text[]);
select is((pg_temp.delivery(1)).event_id, null, 'an attempt that ends well after all counts');

select private.record_event('session.opened', gen_random_uuid(), data => jsonb_build_object('n', n)) from generate_series(4, 9) n;
create function pg_temp.state() returns text language sql as $$
  select row(s.last_success_at > now(), s.last_failure_at > now(), s.last_error)::text from platform.event_subscription_state s where s.subscription_id = 'crm'
$$;
update platform.event_subscription_state set last_success_at = now() - interval '1 minute', last_failure_at = now() - interval '1 minute' where subscription_id = 'crm';
select delivery.record_event_deliveries('crm', array[pg_temp.id(6), pg_temp.id(4), pg_temp.id(5)], array['HTTP 502', 'HTTP 502', null]);
select results_eq($$select n, (pg_temp.delivery(n)).attempts, (pg_temp.delivery(n)).last_error from generate_series(4, 7) n$$,
  $$values (4, 1, 'HTTP 502'), (5, null, null), (6, 1, 'HTTP 502'), (7, 0, null)$$, 'several are recorded at a time, each as it ended');
select is(pg_temp.state(), '(t,t,"HTTP 502")', 'and the subscription shows both ends');
update platform.event_subscription_state set last_success_at = now(), last_failure_at = now() - interval '1 minute' where subscription_id = 'crm';
select delivery.record_event_deliveries('crm', array[pg_temp.id(7)], array['HTTP 500']);
select is(pg_temp.state(), '(f,t,"HTTP 500")', 'a failure is no success');
-- A time in the future stands for one of the last second: no other session has to be quick.
update platform.event_subscription_state set last_success_at = now() + interval '1 hour', last_failure_at = now() + interval '1 hour' where subscription_id = 'crm';
create temp table before on commit drop as select s.* from platform.event_subscription_state s;
select delivery.record_event_deliveries('crm', array[pg_temp.id(8), pg_temp.id(9)], array['HTTP 501', null]);
select results_eq('select * from platform.event_subscription_state order by 1', 'select * from before order by 1', 'what happened within the last second is not written again');
delete from settings.event_subscription;
select delivery.record_event_deliveries('crm', array[pg_temp.id(8), pg_temp.id(9)], array['HTTP 501', null]);
select is_empty('select from platform.event_subscription_state', 'of a subscription that was deleted during its attempts nothing is kept');
select * from finish();
rollback;
