begin;
select plan(2);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

select test.make_factor(id, false) from actor;
select is(array(select f.id from actor, unnest(private.confirmed_factors(actor.id)) f), array[id], 'the confirmed ones alone') from factor;
select is(private.confirmed_factors(gen_random_uuid()), '{}', 'of the user');

select * from finish();
rollback;
