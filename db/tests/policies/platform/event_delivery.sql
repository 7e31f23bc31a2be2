begin;
select plan(8);
select test.clean_slate();
select policies_are('platform', 'event_delivery', array['the admin sees what waits and what failed'], 'platform.event_delivery has exactly the listed policy');
select test.subscribe('crm', 'session.opened');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;
select private.record_event('session.opened', alice) from actor;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select from platform.event_delivery', '42501', null, 'a user sees none, not even of its own events');
reset role;
select test.become('latchkey_guest');
select throws_ok('select from platform.event_delivery', '42501', null, 'a guest sees none');
reset role;
select throws_ok('set local role latchkey_worker; select from platform.event_delivery', '42501', null, 'the worker reads none by itself');
select test.become('latchkey_admin');
select isnt_empty($$select from platform.event_delivery d where d.subscription_id = 'crm'$$, 'the admin sees what waits');
select throws_ok('delete from platform.event_delivery', '42501', null, 'and removes nothing');
select throws_ok('update platform.event_delivery set attempts = 0', '42501', null, 'changes nothing');
select throws_ok($$insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at) values ('crm', gen_random_uuid(), now(), now(), now())$$, '42501', null,
  'and queues nothing but by replay_events');
reset role;
select * from finish();
rollback;
