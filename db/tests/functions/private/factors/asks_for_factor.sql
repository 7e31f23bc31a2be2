begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select is(private.asks_for_factor(id), false, 'an account without a factor is not asked for one') from actor;
select test.make_factor(id) from actor;
select is(private.asks_for_factor(id), true, 'an account with one is') from actor;
select test.set_setting('SECOND_FACTOR', '"required"');
select is(private.asks_for_factor(id), true, 'and where every account must have one') from actor;
select test.set_setting('SECOND_FACTOR', '"off"');
select is(private.asks_for_factor(id), false, 'off: nobody is asked') from actor;

select * from finish();
rollback;
