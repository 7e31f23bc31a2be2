begin;
select plan(5);
select test.clean_slate();
select test.subscribe('crm', 'session.opened');
select test.subscribe('ledger', 'session.revoked');
delete from platform.event_delivery;
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at, failed_at)
select 'crm', gen_random_uuid(), now(), now() - n * interval '1 minute', now() - n * interval '1 minute', case when n > 3 then now() end from generate_series(1, 5) n;
insert into platform.event_subscription_state values ('crm', now(), now() - interval '1 hour', 'HTTP 500', now() - interval '1 day', now());
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select from platform.event_backlog', '42501', null, 'a user sees no backlog');
reset role;
select test.become('latchkey_guest');
select throws_ok('select from platform.event_backlog', '42501', null, 'a guest sees no backlog');
reset role;
select test.become('latchkey_admin');
select results_eq('select * from platform.event_backlog b order by b.subscription_id',
  $$values ('crm', 3, now() - interval '3 minutes', 2, now(), now() - interval '1 hour', 'HTTP 500', now() - interval '1 day', now()),
    ('ledger', 0, null, 0, null, null, null, null, null)$$, 'the admin sees what waits for each subscription, since when, and what failed');
reset role;
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at) select 'crm', gen_random_uuid(), now(), now(), now() from generate_series(1, 10001);
select is((select b.waiting from platform.event_backlog b where b.subscription_id = 'crm'), 10001, 'no more is counted than 10001');
insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at) select 'crm', gen_random_uuid(), now(), now(), now() from generate_series(1, 100);
select is((select b.waiting from platform.event_backlog b where b.subscription_id = 'crm'), 10001, 'however many there are');
select * from finish();
rollback;
