begin;
select plan(5);
select test.clean_slate();
create function pg_temp.rule(key text) returns private.rate_limit_rule language sql
as $$ select row('a policy', key, 1, interval '1 hour')::private.rate_limit_rule $$;
create function pg_temp.locked(variadic rules private.rate_limit_rule[]) returns text[] language sql
as $$ select array_agg(w.key order by n) from unnest(private.lock_rate_limits(rules)) with ordinality w (key, hits, totals, n) $$;
-- Records the order in which rows are created.
create temp table made (number bigint generated always as identity, key text) on commit drop;
create function pg_temp.note() returns trigger language plpgsql as $$ begin insert into made (key) values (new.key); return null; end $$;
create trigger note after insert on platform.rate_limit for each row execute function pg_temp.note();

select is(pg_temp.locked(pg_temp.rule('b'), null, pg_temp.rule('c'), pg_temp.rule('B'), pg_temp.rule('a')), array['b', null, 'c', 'B', 'a'],
  'each window is at the position of its rule, and a null rule has none');
select is((select array_agg(key order by number) from made), array['B', 'a', 'b', 'c'], 'they are locked in the order of their keys');
select is(pg_temp.locked(null), null, 'null rules lock nothing');
select is(private.lock_rate_limits('{}'), null, 'no rules lock nothing');
select throws_ok('select pg_temp.locked(pg_temp.rule(null))', '23502', null, 'a rule without a key raises');

select * from finish();
rollback;
