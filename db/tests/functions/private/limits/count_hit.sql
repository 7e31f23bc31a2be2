begin;
select plan(8);
create function pg_temp.hit("window" platform.rate_limit, requests integer, at timestamptz) returns platform.rate_limit language sql
as $$ select * from private.count_hit("window", row('P', 'P:x', requests, '1 minute')::private.rate_limit_rule, at) $$;
create function pg_temp.windowed(hits timestamptz[], totals bigint[]) returns platform.rate_limit language sql
as $$ select row('P:x', hits, totals, null)::platform.rate_limit $$;
create temp view at as select timestamptz '2026-01-01 12:00:00Z' as t;

select is((select pg_temp.hit(pg_temp.windowed('{}', '{0}'), 2, t) from at), (select pg_temp.windowed(array[t], '{0, 1}') from at),
  'the first request adds an entry');
select is((select pg_temp.hit(pg_temp.windowed(array[t], '{0, 1}'), 2, t + '1 second') from at),
  (select pg_temp.windowed(array[t, t + '1 second'], '{0, 1, 2}') from at), 'the second request adds another entry');
select is((select pg_temp.hit(pg_temp.windowed(array[t, t + '1 second'], '{0, 1, 2}'), 2, t + '2 seconds') from at),
  (select pg_temp.windowed(array[t + '1 second', t + '2 seconds'], '{1, 2, 3}') from at),
  'an entry is removed when as many newer requests as the limit allows are counted');
select is((select pg_temp.hit(pg_temp.windowed(array[t], '{0, 1}'), 2, t + '1 minute') from at),
  (select pg_temp.windowed(array[t + '1 minute'], '{1, 2}') from at), 'an entry that has left the window is removed');
select is((select pg_temp.hit(pg_temp.windowed(array[t], '{0, 1}'), 2, t + '59.9 seconds') from at),
  (select pg_temp.windowed(array[t, t + '59.9 seconds'], '{0, 1, 2}') from at), 'an entry that is still in the window stays');
select is((select pg_temp.hit(pg_temp.windowed(array[t], '{4, 5}'), 100, t + '0.5 seconds') from at),
  (select pg_temp.windowed(array[t + '0.5 seconds'], '{4, 6}') from at),
  'requests of one slot share an entry, with the time of the latest request');
select is((select pg_temp.hit(pg_temp.windowed(array[t], '{4, 5}'), 100, t + '1 second') from at),
  (select pg_temp.windowed(array[t, t + '1 second'], '{4, 5, 6}') from at), 'a request of the next slot adds an entry');
select is((select pg_temp.hit(pg_temp.windowed(array[t, t + '2 seconds'], '{0, 90, 100}'), 100, t + '3 seconds') from at),
  (select pg_temp.windowed(array[t, t + '2 seconds', t + '3 seconds'], '{0, 90, 100, 101}') from at),
  'an entry stays while one of its requests counts for the limit');

select * from finish();
rollback;
