begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
select test.forget_events();
select private.record_event('login.refused', bob, client => '192.0.2.1') from actor;
select private.record_event('login.refused', alice, client => '192.0.2.1') from actor, generate_series(1, 5001);
create function pg_temp.addresses() returns integer language sql as $$ select count(*)::integer from platform.event e where e.client is not null $$;

select is(private.erase_some_events(alice), true, 'thousands lose their addresses') from actor;
select is(pg_temp.addresses(), 2, 'five thousand at most');
select is(private.erase_some_events(alice), false, 'the next call goes on') from actor;
select is(pg_temp.addresses(), 1, 'and another account''s event keeps its address');
select private.record_event('login.refused', alice, client => '192.0.2.1') from actor, generate_series(1, 5001);
update "user".account a set deletion_due_at = now() from actor where a.id = alice;
select is(delivery.erase_due_account(0), true, 'the clean-up does so first');
select is((select count(*)::integer from "user".account a, actor where a.id = alice), 1, 'and erases the account with its next call');
select * from finish();
rollback;
