begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table made on commit drop as select c as code from actor, unnest(private.make_recovery_codes(id, test.code_key())) c;
select is((select count(*)::integer from made where code ~ '^[0-9A-Z]{5}-[0-9A-Z]{5}$'), 10, 'ten codes, grouped');
select is((select count(*)::integer from private.recovery_code), 10, 'are stored');
select is_empty($$select code from made, private.recovery_code r where position(convert_to(replace(code, '-', ''), 'UTF8') in r.code_hash) > 0$$, 'as hashes');
create function pg_temp.use(code text) returns boolean language sql
as $$ select private.use_recovery_code(id, test.factor_attempt(null, replace(code, '-', ''))) from actor $$;
select is(pg_temp.use(min(code)), true, 'one of them is right') from made;
select private.make_recovery_codes(id, test.code_key()) from actor;
select is(pg_temp.use(max(code)), false, 'earlier ones are worthless after new ones') from made;
select is((select count(*)::integer from private.recovery_code), 10, 'and deleted');

select * from finish();
rollback;
