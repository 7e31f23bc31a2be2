begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create function pg_temp.error() returns text language sql
as $$ select (private.factor_failures_error(a, private.lock_rate_limits(private.factor_rules(a.id)))).code from "user".account a $$;
select is(pg_temp.error(), null, 'a code is compared');
select private.count_factor_failure(id, private.lock_rate_limits(private.factor_rules(id))) from actor, generate_series(1, 10);
select is(pg_temp.error(), 'RATE_LIMIT_EXCEEDED', 'after ten wrong ones none is for a while');
update "user".account set factor_failures = 100;
select is(pg_temp.error(), 'MAX_ATTEMPTS_REACHED', 'and after a hundred in a row none at all');

select * from finish();
rollback;
