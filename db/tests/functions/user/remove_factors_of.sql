begin;
select plan(2);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

select test.make_factor(id, false), test.make_factor(test.make_account('+12025550102')) from actor;
select is((select count(*)::integer from actor, "user".remove_factors_of(actor.id)), 2, 'every factor of the account is removed');
select is((select count(*)::integer from "user".factor), 1, 'and none of another');

select * from finish();
rollback;
