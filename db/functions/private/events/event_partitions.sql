create or replace function private.event_partitions(out partition regclass, out begins_at timestamptz, out ends_at timestamptz)
returns setof record
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select c.oid::regclass, m.month at time zone 'UTC', (m.month + interval '1 month') at time zone 'UTC'
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  cross join lateral (select to_date(substr(c.relname, 7), 'YYYY_MM')::timestamp) m (month)
  where i.inhparent = 'platform.event'::regclass and c.relname ~ '^event_[0-9]{4}_[0-9]{2}$'
$$;

comment on function private.event_partitions() is
$$The months of platform.event that have a partition, as their names tell: private.event_2026_11.$$;
