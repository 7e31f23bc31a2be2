begin;
select plan(18);
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

select delivery.record_event_delivery('crm', pg_temp.id(1), 'HTTP 503');
select is((select row(d.attempts, d.last_error, d.failed_at)::text from pg_temp.delivery(1) d), '(1,"HTTP 503",)', 'a failed attempt is counted, with its reason');
select ok((pg_temp.delivery(1)).next_at between clock_timestamp() + interval '3 s' and clock_timestamp() + interval '6 s', 'and tried again after a wait');
select is((pg_temp.delivery(2)).next_at, (pg_temp.delivery(1)).next_at, 'the account''s next event waits for it');
select ok((pg_temp.delivery(3)).next_at <= clock_timestamp(), 'another account''s does not');
select is((select row(s.last_error, s.last_failure_at > now(), s.last_success_at)::text from platform.event_subscription_state s where s.subscription_id = 'crm'), '("HTTP 503",t,)',
  'the subscription shows it');
select is((select s.last_error from platform.event_subscription_state s where s.subscription_id = 'ledger'), null, 'and no other one');
select is((select count(*)::integer from platform.event_delivery d where d.subscription_id = 'ledger' and d.next_at <= clock_timestamp()), 3, 'for which nothing waits');

select test.age_deliveries('23 hours 59 minutes');
select delivery.record_event_delivery('crm', pg_temp.id(1), repeat('x', 300));
select is((select row(d.attempts, length(d.last_error), d.failed_at)::text from pg_temp.delivery(1) d), '(2,200,)', 'within a day it is tried again; a reason is bounded');
select test.age_deliveries('1 minute');
select delivery.record_event_delivery('crm', pg_temp.id(1), 'HTTP 503');
select ok((pg_temp.delivery(1)).failed_at > now(), 'after a day it is given up');
select is((pg_temp.delivery(2)).failed_at, null, 'and the next one is not');
select delivery.record_event_delivery('crm', pg_temp.id(1), 'HTTP 503');
select is((pg_temp.delivery(1)).attempts, 3, 'a call that is repeated then counts nothing');

select delivery.record_event_delivery('crm', pg_temp.id(2), null);
select is((pg_temp.delivery(2)).event_id, null, 'what was taken is deleted');
select is((pg_temp.delivery(3)).event_id, pg_temp.id(3), 'and nothing else of the subscription');
select ok(exists (select from platform.event_delivery d where d.subscription_id = 'ledger' and d.event_id = pg_temp.id(2)), 'nor of another one');
select is((select s.last_error from platform.event_subscription_state s where s.subscription_id = 'crm'), 'HTTP 503', 'the subscription keeps its last error');
select ok((select s.last_success_at > now() from platform.event_subscription_state s where s.subscription_id = 'crm'), 'and the subscription shows when');
select lives_ok($$select delivery.record_event_delivery('crm', pg_temp.id(2), null)$$, 'a second time it changes nothing');
select delivery.record_event_delivery('crm', pg_temp.id(1), null);
select is((pg_temp.delivery(1)).event_id, null, 'an attempt that ends well after all counts');
select * from finish();
rollback;
