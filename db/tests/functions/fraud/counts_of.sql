begin;
select plan(4);
select test.clean_slate();
insert into private.send_count
select subject, period, '2026-03-04T10:00:00Z'::timestamptz - ago::interval, shard, sends, verified
from (values
  ('all', 'hour', '0', 0, 1000, 0), ('x', 'hour', '0', 0, 7, 2), ('x', 'hour', '0', 5, -1, 1), ('x', 'hour', '23 hours', 0, 20, 3),
  ('x', 'hour', '24 hours', 0, 1000, 0),
  ('x', 'day', '10 hours', 0, 50, 1000), ('x', 'day', '34 hours', 0, 50, 8), ('x', 'day', '34 hours', 1, 50, 1),
  ('x', 'day', '14 days 10 hours', 0, 50, 30), ('x', 'day', '15 days 10 hours', 0, 50, 1000)
) c (subject, period, ago, shard, sends, verified);
create temp table counts on commit drop as select * from fraud.counts_of('x', '2026-03-04T10:00:00Z', '2026-03-04T00:00:00Z');
select is((select unverified from counts), 20::bigint, 'unverified sends are summed over shards and 24 clock hours, and no more');
select is((select verified from counts), 39::bigint, 'verified sends are summed over shards and the 14 days before today');
select is((select unverified from fraud.counts_of('y', '2026-03-04T10:00:00Z', '2026-03-04T00:00:00Z')), 0::bigint,
  'a subject without counters has no unverified sends');
select is((select verified from fraud.counts_of('y', '2026-03-04T10:00:00Z', '2026-03-04T00:00:00Z')), 0::bigint,
  'a subject without counters has no verified sends');

select * from finish();
rollback;
