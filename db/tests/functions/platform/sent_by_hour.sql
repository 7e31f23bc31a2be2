begin;
select plan(6);
select test.clean_slate();
insert into private.send_count (subject, period, starts_at, shard, sends, verified)
select s, p, at::timestamptz, shard, sends, verified from (values
  ('country:US', 'hour', '2026-03-04T10:00Z', 0, 5, 3), ('country:US', 'hour', '2026-03-04T10:00Z', 1, 2, 1),
  ('country:DE', 'hour', '2026-03-04T10:00Z', 0, 8, 4), ('country:DE', 'hour', '2026-03-04T11:00Z', 0, 1, 0),
  ('country:US', 'day', '2026-03-04T00:00Z', 0, 7, 4), ('client:192.0.2.1', 'hour', '2026-03-04T10:00Z', 0, 7, 4), ('all', 'hour', '2026-03-04T10:00Z', 0, 11, 8)
) v (s, p, at, shard, sends, verified);
create function pg_temp.hours(from_at timestamptz, to_at timestamptz) returns setof text language sql as $$
  select concat_ws(' ', to_char(s.hour at time zone 'UTC', 'DD HH24'), coalesce(s.country, 'other'), s.sent, s.verified)
  from platform.sent_by_hour(from_at, to_at) s $$;
select results_eq($$select pg_temp.hours('2026-03-04T10:30Z', '2026-03-04T12:00Z')$$, array['04 10 DE 8 4', '04 10 US 7 4', '04 11 DE 1 0'],
  'the counters of countries are added by hour, and no others');
select results_eq($$select pg_temp.hours('2026-03-04T10:00Z', '2026-03-04T11:00Z')$$, array['04 10 DE 8 4', '04 10 US 7 4'], 'the period ends before to_at');
select is_empty($$select pg_temp.hours('2026-03-04T10:00Z', '2026-03-20T11:00Z')$$, 'a period of more than eight days begins later');
insert into private.send_count select 'country:Z' || n, 'hour', '2026-03-04T11:00Z', 0, 100 + n, 0 from generate_series(1, 10) n;
select is((select count(*)::integer from platform.sent_by_hour('2026-03-04T10:00Z', '2026-03-04T12:00Z')), 12, 'ten countries are shown by name');
select ok('04 10 other 15 8' in (select pg_temp.hours('2026-03-04T10:00Z', '2026-03-04T12:00Z')), 'the others are one');
select is((test.call_as('latchkey_admin', $$platform.sent_by_hour('2026-03-04T11:00Z', '2026-03-04T12:00Z') where country is null$$, null::platform.sent_in_hour)).sent,
  1, 'the admin may read it');

select * from finish();
rollback;
