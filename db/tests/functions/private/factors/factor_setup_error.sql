begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;

create function pg_temp.reason() returns text language sql as $$ select (private.factor_setup_error(id)).details ->> 'reason' from actor $$;
select is(pg_temp.reason(), null, 'nobody has to add a factor');
select test.set_setting('SECOND_FACTOR', '"required"');
select is(pg_temp.reason(), 'second_factor_setup_required', 'unless it is required');
select is(private.factor_setup_error(null), null, 'guests never have to');
select test.make_factor(id) from actor;
select is(pg_temp.reason(), null, 'who has one has none to add');

select * from finish();
rollback;
