begin;
select plan(5);
select test.clean_slate();
create or replace function private.most_events_waiting() returns integer language sql immutable as 'select 4';
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at, failed_at)
select 'crm', gen_random_uuid(), now(), now(), 'infinity', case when n > 3 then now() end from generate_series(1, 9) n;

select is(private.has_full_backlog('crm', false), false, 'one less than the most is not full, whatever was given up');
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at) values ('crm', gen_random_uuid(), now(), now(), now());
select is(private.has_full_backlog('crm', false), true, 'the most is full');
select is(private.has_full_backlog('ledger', false), false, 'each subscription has its own');
delete from platform.event_delivery d where d.next_at <= now();
select is(private.has_full_backlog('crm', true), true, 'it stays full');
delete from platform.event_delivery d where d.event_id = (select min(e.event_id::text)::uuid from platform.event_delivery e where e.failed_at is null);
select is(private.has_full_backlog('crm', true), false, 'until half of them are gone');

select * from finish();
rollback;
