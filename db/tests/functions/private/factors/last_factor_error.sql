begin;
select plan(4);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;

create temp table factor on commit drop as select test.make_factor(id) as id from actor;
create function pg_temp.reason() returns text language sql as $$ select (private.last_factor_error(actor.id, factor.id)).details ->> 'reason' from actor, factor $$;
select is(pg_temp.reason(), null, 'the last factor may be removed');
select test.set_setting('SECOND_FACTOR', '"required"');
select is(pg_temp.reason(), 'last_factor', 'unless one is required');
select is(private.last_factor_error(actor.id, test.make_factor(actor.id, false)), null, 'one that nobody confirmed always may') from actor;
select test.make_factor(id) from actor;
select is(pg_temp.reason(), null, 'and one of two');

select * from finish();
rollback;
