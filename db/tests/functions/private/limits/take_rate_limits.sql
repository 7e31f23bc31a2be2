begin;
select plan(45);
select test.clean_slate();
create function pg_temp.rule(policy text, requests integer default 3, seconds integer default 3600)
returns private.rate_limit_rule language sql
as $$ select row(policy, policy || ':x', requests, make_interval(secs => seconds))::private.rate_limit_rule $$;
create function pg_temp.take(variadic rules private.rate_limit_rule[]) returns setof private.rate_limit_verdict language sql
as $$ select * from private.take_rate_limits(rules) $$;
create function pg_temp.refused_by(variadic rules private.rate_limit_rule[]) returns text language sql
as $$ select policy from private.take_rate_limits(rules) $$;

-- Counting
create temp table first on commit drop as select * from pg_temp.take(pg_temp.rule('A'), pg_temp.rule('B'));
select is((select row(policy, wait)::text from first), '(,)', 'a request is allowed while every rule has room');
select is((select array_agg(hits order by key) from platform.rate_limit), (select array[array[taken_at], array[taken_at]] from first),
  'a request counts once against every rule, at the time that the verdict contains');
select ok((select taken_at between now() and clock_timestamp() from first), 'the verdict contains the time of counting');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'the second of three requests is allowed');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'the third of three requests is allowed');
create temp table fourth on commit drop as select * from pg_temp.take(pg_temp.rule('A'));
select is((select row(policy, requests, period, taken_at)::text from fourth), '(A,3,01:00:00,)',
  'the request over the limit is refused, and the verdict names the limit');
select ok((select wait > interval '59 minutes' and wait <= interval '1 hour' from fourth),
  'the wait is the time until the oldest request leaves the window');
select is(test.hits('A:x'), 3, 'a refused request is not counted');

-- All or nothing
select is(pg_temp.refused_by(pg_temp.rule('B'), pg_temp.rule('A')), 'A', 'one rule without room refuses the request');
select is(pg_temp.refused_by(pg_temp.rule('A'), pg_temp.rule('B')), 'A',
  'one rule without room refuses the request, whatever the order of the rules');
select is(test.hits('B:x'), 1, 'a refused request does not count against a rule with room');
select is(pg_temp.refused_by(pg_temp.rule('A'), pg_temp.rule('C')), 'A',
  'a rule without room refuses although another rule has no row yet');
select is_empty($$select from platform.rate_limit where key = 'C:x'$$,
  'a refused request writes no row for a rule that has none yet');
select is(pg_temp.refused_by(row('A', 'A:y', 3, '1 hour')::private.rate_limit_rule), null,
  'another key of the same policy is counted separately');

-- The window slides
delete from platform.rate_limit;
select test.insert_hits('A:x', clock_timestamp() - interval '59 minutes', clock_timestamp() - interval '30 minutes', clock_timestamp());
select is(pg_temp.refused_by(pg_temp.rule('A')), 'A', 'a minute before the oldest request leaves the window there is no room');
select test.age_rate_limits('1 minute');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'when the oldest request has left the window one request is allowed');
select is(pg_temp.refused_by(pg_temp.rule('A')), 'A',
  'when the oldest request has left the window only one request is allowed: the window slides');
select is(test.hits('A:x'), 3, 'a window keeps no more entries than the limit allows requests');
select test.age_rate_limits('29 minutes');
select is(pg_temp.refused_by(pg_temp.rule('A')), null, 'one more request is allowed when the next request leaves the window');
select is(pg_temp.refused_by(pg_temp.rule('A')), 'A', 'only one more request is allowed when the next request leaves the window');
select test.age_rate_limits('2 hours');
select is((select count(pg_temp.refused_by(pg_temp.rule('A')))::integer from generate_series(1, 3)), 0,
  'long after the window ended all requests are allowed');
select is((select max(h) - min(h) < interval '1 hour' from platform.rate_limit, unnest(hits) h), true,
  'requests that have left the window are removed');

-- A changed limit
select is(pg_temp.refused_by(pg_temp.rule('A', 5)), null, 'a higher limit has room at once');
select is(pg_temp.refused_by(pg_temp.rule('A', 5)), null, 'a higher limit allows as many requests as the difference');
select is(pg_temp.refused_by(pg_temp.rule('A', 5)), 'A', 'a higher limit allows no more requests than the difference');
select is(pg_temp.refused_by(pg_temp.rule('A', 2)), 'A', 'a lower limit refuses at once');
select is(pg_temp.refused_by(pg_temp.rule('A', 2, 60)), 'A', 'a shorter period refuses the requests within it');
select test.age_rate_limits('1 minute');
select is(pg_temp.refused_by(pg_temp.rule('A', 2, 60)), null, 'a shorter period allows a request when it has passed');

-- The longest wait
delete from platform.rate_limit;
select test.insert_hits('A:x', clock_timestamp()), test.insert_hits('B:x', clock_timestamp()), test.insert_hits('C:x', clock_timestamp());
select is(pg_temp.refused_by(pg_temp.rule('A', 1, 20), pg_temp.rule('B', 1, 40), pg_temp.rule('C', 1, 30)), 'B',
  'of several rules without room the one with the longest wait is returned');

-- No rules
select is((select (taken_at is not null)::text || coalesce(policy, '') from pg_temp.take(null::private.rate_limit_rule, pg_temp.rule('D'))),
  'true', 'a rule that is null is skipped');
select is(test.hits('D:x'), 1, 'a request counts against the rules that are not null');
select is((select row(policy, wait, taken_at)::text from pg_temp.take(null::private.rate_limit_rule)), '(,,)',
  'a request is allowed when every rule is null');
select is((select row(policy, wait, taken_at)::text from private.take_rate_limits('{}')), '(,,)',
  'a request is allowed without rules');
select is((select count(*)::integer from platform.rate_limit), 4, 'a request without rules counts nothing');

-- Stored windows and keys
select test.insert_hits('E:x', variadic '{}');
select is(pg_temp.refused_by(pg_temp.rule('E', 1)), null, 'a window whose hit was given back has room');
select is(pg_temp.refused_by(pg_temp.rule('E', 1)), 'E', 'a window whose hit was given back has room for one request only');
select is((select c.collation_name::text from information_schema.columns c where c.table_schema = 'platform' and c.table_name = 'rate_limit'
  and c.column_name = 'key'), 'C', 'keys have the collation C, so that every database locks them in the same order');

-- Many requests, few entries
create temp table many on commit drop as
  select n, (private.take_rate_limits(array[row('F', 'F:x', 61, '1 hour')::private.rate_limit_rule])).policy from generate_series(1, 62) n;
select is((select array_agg(n) from many where policy is not null), array[62], 'a limit of 61 requests allows exactly 61');
select is(test.hits('F:x'), 61, 'a limit of 61 requests counts each of them');
select ok((select cardinality(hits) <= 2 from platform.rate_limit where key = 'F:x'),
  'a limit of 61 requests keeps one entry for the requests of a sixtieth of its period');
insert into platform.rate_limit (key, hits, totals) values
  ('G:x', array[clock_timestamp() - interval '59 minutes', clock_timestamp() - interval '30 minutes'], '{7, 67, 107}');
select is(pg_temp.refused_by(row('G', 'G:x', 100, '1 hour')::private.rate_limit_rule), 'G',
  'all requests of an entry count until its latest one leaves the window');
select test.age_rate_limits('1 minute');
select is((select count(pg_temp.refused_by(row('G', 'G:x', 100, '1 hour')::private.rate_limit_rule))::integer
    from generate_series(1, 60)),
  0, 'when an entry has left the window as many requests are allowed as it had');
select is(pg_temp.refused_by(row('G', 'G:x', 100, '1 hour')::private.rate_limit_rule), 'G',
  'when an entry has left the window no more requests are allowed than it had');
select test.insert_hits('H:x', variadic array(select clock_timestamp() - make_interval(mins => 60 - n) from generate_series(1, 60) n));
select is(pg_temp.refused_by(row('H', 'H:x', 1000, '1 hour')::private.rate_limit_rule), null,
  'a limit of 1000 requests with 60 entries allows a request');
select ok((select cardinality(hits) <= 61 from platform.rate_limit where key = 'H:x'),
  'a limit of 1000 requests keeps 61 entries at most');

select * from finish();
rollback;
