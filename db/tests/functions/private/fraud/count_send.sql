begin;
select plan(5);
select test.clean_slate();
create temp table decision on commit drop as select test.make_decision('{"at": "2026-03-04T23:59:59.9Z"}') as d;
set local timezone = 'Asia/Kolkata';
select private.count_send(d, 1, 0) from decision, generate_series(1, 40);
select private.count_send(d, 0, 1) from decision;
select private.count_send(d, -1, 0) from decision;
select set_eq($$select distinct subject || ' ' || period || ' ' || (starts_at at time zone 'UTC')::text from private.send_count$$,
  array['all hour 2026-03-04 23:00:00', 'country:US hour 2026-03-04 23:00:00', 'country:US day 2026-03-04 00:00:00',
    'client:192.0.2.1 hour 2026-03-04 23:00:00', 'client:192.0.2.1 day 2026-03-04 00:00:00'],
  'a send has a counter of the service, its country and its client, by hours and days of UTC');
select set_eq($$select distinct sum(sends) || ' ' || sum(verified) from private.send_count group by subject, period$$, array['39 1'],
  'each counter is the sum of what was added');
select is((select array_agg(distinct shard::bigint) from private.send_count where subject !~ '^client'),
  array[pg_current_xact_id()::text::bigint % 8], 'a transaction adds to one shard, and the next one to another');
select is_empty('select from private.send_count where shard not between 0 and 7', 'there are eight shards');
select is((select array_agg(distinct shard) from private.send_count where subject like 'client:%'), '{0}', 'a client has one');

select * from finish();
rollback;
