begin;
select plan(9);
select test.clean_slate();

select policies_are('platform', 'event', array['a user sees its own events', 'the admin sees every event'], 'platform.event has exactly the listed policies');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
select test.forget_events();
select private.record_event('password.changed', alice), private.record_event('password.reset', bob), private.record_event('otp.refused', null) from actor;
grant select on actor to public;
select throws_ok('set local role ' || role || '; select id from platform.event', '42501', null, role || ' cannot read events')
from (values ('latchkey_server'), ('latchkey_worker'), ('latchkey_graphql'), ('latchkey_guest')) r (role);
reset role;
select test.become('latchkey_user', alice) from actor;
select is(array(select user_id from platform.event), array[alice], 'a user sees its own events and no other') from actor;
select throws_ok('select hash from platform.event', '42501', null, 'and not the chain');
reset role;
select test.become('latchkey_admin');
select is((select count(*)::integer from platform.event), 3, 'the admin sees every event');
select throws_ok('delete from platform.event', '42501', null, 'the admin cannot delete one');
reset role;

select * from finish();
rollback;
