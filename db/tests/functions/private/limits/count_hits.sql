begin;
select plan(6);
select test.clean_slate();
create function pg_temp.rule(key text) returns private.rate_limit_rule language sql
as $$ select row('a policy', key, 2, interval '1 hour')::private.rate_limit_rule $$;
create function pg_temp.count(variadic rules private.rate_limit_rule[]) returns timestamptz language sql
as $$ select private.count_hits(private.lock_rate_limits(rules), rules) $$;
select test.insert_hits('c', now()), test.insert_hits('other', now());

create temp table stamp on commit drop as select pg_temp.count(pg_temp.rule('c'), null, pg_temp.rule('a')) as at;
select results_eq('select key collate "default", hits from platform.rate_limit order by 1',
  $$values ('a', array[(select at from stamp)]), ('c', array[now(), (select at from stamp)]), ('other', array[now()])$$,
  'one request counts once against each rule, at the time that is returned, and against no other key');
select ok((select at > now() from stamp), 'the time is that of the call and not that of the transaction');
select is((select totals from platform.rate_limit where key = 'c'), '{0,1,2}', 'the totals go with the hits');
select is(pg_temp.count(null), null, 'null rules count nothing');
select is(private.count_hits(null, '{}'), null, 'no rules count nothing');
select is((select count(*)::integer from platform.rate_limit), 3, 'and write no row');

select * from finish();
rollback;
