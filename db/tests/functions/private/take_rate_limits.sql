begin;
select plan(45);
select test.clean_slate();
create function pg_temp.rule(policy text, requests integer default 3, seconds integer default 60) returns private.rate_limit_rule language sql
as $$ select row(policy, policy || ':x', requests, make_interval(secs => seconds))::private.rate_limit_rule $$;
create function pg_temp.take(variadic rules private.rate_limit_rule[]) returns setof private.rate_limit_verdict language sql
as $$ select * from private.take_rate_limits(rules) $$;
create function pg_temp.refused_by(variadic rules private.rate_limit_rule[]) returns text language sql
as $$ select policy from private.take_rate_limits(rules) $$;

-- Counting
create temp table first on commit drop as select * from pg_temp.take(pg_temp.rule('A'), pg_temp.rule('B'));
select is((select row(policy, wait)::text from first), '(,)', 'what every rule has room for is allowed');
select is((select array_agg(hits order by key) from platform.rate_limit), (select array[array[taken_at], array[taken_at]] from first),
  'and counted once against each, at the moment that the verdict names');
select ok((select taken_at between now() and clock_timestamp() from first), 'which is the moment of counting');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'the second is allowed');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'and the third');
create temp table fourth on commit drop as select * from pg_temp.take(pg_temp.rule('A'));
select is((select row(policy, requests, period, taken_at)::text from fourth), '(A,3,00:01:00,)', 'the one over the limit is refused, by name');
select ok((select wait > interval '50 seconds' and wait <= interval '60 seconds' from fourth), 'for as long as the oldest stays in the window');
select is(test.hits('A:x'), 3, 'a refusal counts for nothing');

-- All or nothing
select is(pg_temp.refused_by(pg_temp.rule('B'), pg_temp.rule('A')), 'A', 'one rule without room refuses');
select is(pg_temp.refused_by(pg_temp.rule('A'), pg_temp.rule('B')), 'A', 'in whatever order');
select is(test.hits('B:x'), 1, 'and nothing counts against the rule that has room');
select is(pg_temp.refused_by(pg_temp.rule('A'), pg_temp.rule('C')), 'A', 'nor against one that');
select is_empty($$select from platform.rate_limit where key = 'C:x'$$, 'never counted anything: a refusal writes no row');
select is(pg_temp.refused_by(row('A', 'A:y', 3, '1 minute')::private.rate_limit_rule), null, 'another key of the policy is another count');

-- The window slides
delete from platform.rate_limit;
select test.insert_hits('A:x', clock_timestamp() - interval '59 seconds', clock_timestamp() - interval '30 seconds', clock_timestamp());
select is(pg_temp.refused_by(pg_temp.rule('A')), 'A', 'a second before the oldest leaves there is no room');
select test.age_rate_limits('1 second');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'when it has left there is room for one');
select is(pg_temp.refused_by(pg_temp.rule('A')), 'A', 'and for no other: the window is not a bucket that empties at once');
select is(test.hits('A:x'), 3, 'no more is kept than the limit needs');
select test.age_rate_limits('29 seconds');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'the next leaves half a minute later');
select is(pg_temp.refused_by(pg_temp.rule('A')), 'A', 'and makes room for one again');
select test.age_rate_limits('2 hours');
select is((select count(pg_temp.refused_by(pg_temp.rule('A')))::integer from generate_series(1, 3)), 0, 'long after there is room for all');
select is((select max(h) - min(h) < interval '1 second' from platform.rate_limit, unnest(hits) h), true, 'and what was counted before is forgotten');

-- A limit that changes
select is(pg_temp.refused_by(pg_temp.rule('A', 5)), null, 'a limit raised has room at once');
select is(pg_temp.refused_by(pg_temp.rule('A', 5)), null, 'for the difference');
select is(pg_temp.refused_by(pg_temp.rule('A', 5)), 'A', 'and no more');
select is(pg_temp.refused_by(pg_temp.rule('A', 2)), 'A', 'a limit lowered bites at once');
select is(pg_temp.refused_by(pg_temp.rule('A', 2, 1)), 'A', 'over its own period');
select test.age_rate_limits('1 second');
select is(pg_temp.refused_by(pg_temp.rule('A', 2, 1)), null, 'and lets in once that is over');

-- The longest wait
delete from platform.rate_limit;
select test.insert_hits('A:x', clock_timestamp()), test.insert_hits('B:x', clock_timestamp()), test.insert_hits('C:x', clock_timestamp());
select is(pg_temp.refused_by(pg_temp.rule('A', 1, 20), pg_temp.rule('B', 1, 40), pg_temp.rule('C', 1, 30)), 'B',
  'of several rules without room the one that refuses longest is named');

-- No rules
select is((select (taken_at is not null)::text || coalesce(policy, '') from pg_temp.take(null::private.rate_limit_rule, pg_temp.rule('D'))), 'true',
  'a limit that is off is passed over');
select is(test.hits('D:x'), 1, 'the others count');
select is((select row(policy, wait, taken_at)::text from pg_temp.take(null::private.rate_limit_rule)), '(,,)', 'where every limit is off all is allowed');
select is((select row(policy, wait, taken_at)::text from private.take_rate_limits('{}')), '(,,)', 'where there is none too');
select is((select count(*)::integer from platform.rate_limit), 4, 'and nothing is counted for it');

-- Whatever lies there
select test.insert_hits('E:x', variadic '{}');
select is(pg_temp.refused_by(pg_temp.rule('E', 1)), null, 'a count that was given back leaves room');
select is(pg_temp.refused_by(pg_temp.rule('E', 1)), 'E', 'and only for one');
select is((select c.collation_name::text from information_schema.columns c where c.table_schema = 'platform' and c.table_name = 'rate_limit'
  and c.column_name = 'key'), 'C', 'keys are locked in an order that no locale changes');

-- Many requests, few entries
create temp table many on commit drop as
  select n, (private.take_rate_limits(array[row('F', 'F:x', 61, '1 hour')::private.rate_limit_rule])).policy from generate_series(1, 62) n;
select is((select array_agg(n) from many where policy is not null), array[62], 'a limit of more than 60 requests is as exact');
select is(test.hits('F:x'), 61, 'and counts each of them');
select ok((select cardinality(hits) <= 2 from platform.rate_limit where key = 'F:x'), 'but keeps one entry for those of a sixtieth of its period');
insert into platform.rate_limit (key, hits, totals) values
  ('G:x', array[clock_timestamp() - interval '59 seconds', clock_timestamp() - interval '30 seconds'], '{7, 67, 107}');
select is(pg_temp.refused_by(row('G', 'G:x', 100, '1 minute')::private.rate_limit_rule), 'G', 'an entry counts all its requests until its latest leaves');
select test.age_rate_limits('1 second');
select is((select count(pg_temp.refused_by(row('G', 'G:x', 100, '1 minute')::private.rate_limit_rule))::integer from generate_series(1, 60)), 0,
  'then it makes room for as many');
select is(pg_temp.refused_by(row('G', 'G:x', 100, '1 minute')::private.rate_limit_rule), 'G', 'and not for one more');
select test.insert_hits('H:x', variadic array(select clock_timestamp() - make_interval(mins => 60 - n) from generate_series(1, 60) n));
select is(pg_temp.refused_by(row('H', 'H:x', 1000, '1 hour')::private.rate_limit_rule), null, 'a request an entry');
select ok((select cardinality(hits) <= 61 from platform.rate_limit where key = 'H:x'), 'leaves 61 entries at most, however large the limit');

select * from finish();
rollback;
