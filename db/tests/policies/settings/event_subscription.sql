begin;
select plan(11);
select test.clean_slate();
select policies_are('settings', 'event_subscription', array['the admin manages subscriptions to events'], 'settings.event_subscription has exactly the listed policy');
select test.subscribe('crm', 'session.opened');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select from settings.event_subscription', '42501', null, 'a user sees no subscription');
reset role;
select test.become('latchkey_guest');
select throws_ok('select from settings.event_subscription', '42501', null, 'a guest sees no subscription');
reset role;
select throws_ok('set local role latchkey_worker; select from settings.event_subscription', '42501', null, 'the worker reads none by itself');
select test.become('latchkey_admin');
select is((select s.url from settings.event_subscription s), 'https://hooks.example.com/crm', 'the admin sees subscriptions');
select lives_ok($$insert into settings.event_subscription (id, url, types, secret_name) values ('b', 'https://b.example', '{session.opened}', 'b')$$, 'adds them');
select lives_ok($$update settings.event_subscription set url = 'https://c.example', types = '{otp.sent}', secret_name = 'c', enabled = false where id = 'b'$$, 'changes them');
select throws_ok($$update settings.event_subscription set created_at = now()$$, '42501', null, 'but not when they were added');
select throws_ok($$update settings.event_subscription set id = 'd'$$, '42501', null, 'nor their ids, by which deliveries know them');
select throws_ok($$insert into settings.event_subscription (id, url, types, secret_name, created_at) values ('d', 'https://b.example', '{session.opened}', 'b', now())$$,
  '42501', null, 'also in a new one');
select lives_ok('delete from settings.event_subscription', 'and deletes them');
reset role;
select * from finish();
rollback;
