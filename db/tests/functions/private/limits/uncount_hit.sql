begin;
select plan(7);
create function pg_temp.back("window" platform.rate_limit, requests integer, at timestamptz) returns platform.rate_limit language sql
as $$ select * from private.uncount_hit("window", row('P', 'P:x', requests, '1 minute')::private.rate_limit_rule, at) $$;
create function pg_temp.windowed(hits timestamptz[], totals bigint[]) returns platform.rate_limit language sql
as $$ select row('P:x', hits, totals, null)::platform.rate_limit $$;
create temp view at as select timestamptz '2026-01-01 12:00:00Z' as t;
create temp view three as select pg_temp.windowed(array[t, t + '1 second', t + '2 seconds'], '{5, 6, 7, 8}') as w, t from at;

select is((select pg_temp.back(w, 3, t) from three), (select pg_temp.windowed(array[t + '1 second', t + '2 seconds'], '{5, 6, 7}') from at),
  'the first hit can be removed');
select is((select pg_temp.back(w, 3, t + '1 second') from three), (select pg_temp.windowed(array[t, t + '2 seconds'], '{5, 6, 7}') from at),
  'a hit in the middle can be removed');
select is((select pg_temp.back(w, 3, t + '2 seconds') from three), (select pg_temp.windowed(array[t, t + '1 second'], '{5, 6, 7}') from at),
  'the last hit can be removed');
select is((select pg_temp.back(w, 3, t + '3 seconds') from three), (select w from three),
  'a hit that is not counted leaves the window unchanged');
select is((select pg_temp.back(pg_temp.windowed(array[t], '{5, 6}'), 3, t) from at), (select pg_temp.windowed('{}', '{5}') from at),
  'removing the only hit leaves an empty window');
select is((select pg_temp.back(pg_temp.windowed(array[t + '0.5 seconds', t + '1 second'], '{0, 3, 4}'), 100, t) from at),
  (select pg_temp.windowed(array[t + '0.5 seconds', t + '1 second'], '{0, 2, 3}') from at),
  'removing one hit of an entry with several lowers its total');
select is((select pg_temp.back(pg_temp.windowed('{}', '{0}'), 3, t) from at), (select pg_temp.windowed('{}', '{0}') from at),
  'an empty window stays empty');

select * from finish();
rollback;
