begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

update "user".account set factor_failures = 100;
select test.insert_hits('FACTOR_FAILURES_PER_USER:' || id, clock_timestamp()) from actor;
select is((select u.id from actor, test.call_as('latchkey_admin', format('"user".unlock_factors(%L)', id), null::"user".account) u), id, 'the admin unlocks factors') from actor;
select is(factor_failures, 0, 'no wrong codes in a row are left') from "user".account;
select is(test.hits('FACTOR_FAILURES_PER_USER:' || id), 0, 'nor in the limit') from actor;

select * from finish();
rollback;
