begin;
select plan(2);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select test.make_factor(id, false) from actor;
select is(private.has_factor(id), false, 'a factor that waits for its first code does not count') from actor;
select test.make_factor(id) from actor;
select is(private.has_factor(id), true, 'a confirmed one counts') from actor;

select * from finish();
rollback;
