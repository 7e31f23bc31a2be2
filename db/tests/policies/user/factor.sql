begin;
select plan(7);
select test.clean_slate();

select policies_are('user', 'factor', array['a user sees its own factors', 'the admin sees every factor'], '"user".factor has exactly the listed policies');
create temp table actor on commit drop as
  select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
select test.make_factor(alice), test.make_factor(bob) from actor;
grant select on actor to public;
select test.become('latchkey_user', alice) from actor;
select is(array(select user_id from "user".factor), array[alice], 'a user sees its own factors and no other') from actor;
select throws_ok('select sealed_secret from "user".factor', '42501', null, 'and not their secrets');
select throws_ok('delete from "user".factor', '42501', null, 'and removes them by the route alone');
reset role;
select test.become('latchkey_admin');
select is((select count(*)::integer from "user".factor), 2, 'the admin sees every factor');
select throws_ok('select sealed_secret from "user".factor', '42501', null, 'and not their secrets');
reset role;
select test.become('latchkey_guest');
select throws_ok('select id from "user".factor', '42501', null, 'a guest sees none');
reset role;

select * from finish();
rollback;
