begin;
select plan(8);
select test.clean_slate();
create or replace function private.most_events_waiting() returns integer language sql immutable as 'select 4';
select test.subscribe('crm', 'session.opened');
select test.subscribe('ledger', 'session.opened');
delete from platform.event_delivery;
create function pg_temp.fullness() returns text language sql as $$
  select row(s.full_from is not null, s.full_to is not null)::text from platform.event_subscription_state s where s.subscription_id = 'crm'
$$;
select is_empty('select delivery.watch_event_backlogs()', 'nobody is warned of where nothing waits');
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at) select 'crm', gen_random_uuid(), now(), now(), now() from generate_series(1, 3);
select is_empty('select delivery.watch_event_backlogs()', 'nor of what has waited for a moment');
select test.age_deliveries('11 minutes');
select results_eq('select * from delivery.watch_event_backlogs()', $$values ('crm', now() - interval '11 minutes', false)$$, 'but of what waits for ten minutes');
select is(pg_temp.fullness(), null, 'it is not full');
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at) values ('crm', gen_random_uuid(), now(), now(), now());
select results_eq('select b.subscription_id, b.is_full from delivery.watch_event_backlogs() b', $$values ('crm', true)$$, 'and of one that is full');
select is(pg_temp.fullness(), '(t,f)', 'from when on is kept');
delete from platform.event_delivery where queued_at < now();
select is_empty('select delivery.watch_event_backlogs()', 'until half of it is gone');
select is(pg_temp.fullness(), '(t,t)', 'and until when');
select * from finish();
rollback;
