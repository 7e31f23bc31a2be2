begin;
select plan(6);
select test.clean_slate();
select policies_are('platform', 'event_subscription_state', array['the admin sees how it goes with subscriptions'],
  'platform.event_subscription_state has exactly the listed policy');
insert into platform.event_subscription_state (subscription_id, last_error) values ('crm', 'HTTP 500');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
grant select on actor to public;

select test.become('latchkey_user', alice) from actor;
select throws_ok('select from platform.event_subscription_state', '42501', null, 'a user sees none');
reset role;
select test.become('latchkey_guest');
select throws_ok('select from platform.event_subscription_state', '42501', null, 'a guest sees none');
reset role;
select throws_ok('set local role latchkey_worker; select from platform.event_subscription_state', '42501', null, 'the worker reads none by itself');
select test.become('latchkey_admin');
select is((select t.last_error from platform.event_subscription_state t), 'HTTP 500', 'the admin sees it');
select throws_ok('update platform.event_subscription_state set last_error = null', '42501', null, 'and does not change it');
reset role;
select * from finish();
rollback;
