begin;
select plan(5);
select test.clean_slate();
create temp table own on commit drop as select a as user_id, test.make_factor(a, false) as id from test.make_account('+12025550101') a;
create function pg_temp.found() returns integer language sql as $$ select cardinality(private.unconfirmed_factor(user_id, id)) from own $$;
select is(pg_temp.found(), 1, 'an app waits for its first code');
select is(cardinality(private.unconfirmed_factor(gen_random_uuid(), id)), 0, 'of its own user') from own;
select is(cardinality(private.unconfirmed_factor(user_id, gen_random_uuid())), 0, 'and under its own id') from own;
update "user".factor set created_at = now() - interval '61 minutes';
select is(pg_temp.found(), 0, 'for an hour');
update "user".factor set created_at = now(), confirmed_at = now();
select is(pg_temp.found(), 0, 'and once');

select * from finish();
rollback;
