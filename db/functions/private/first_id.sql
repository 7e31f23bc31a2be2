create or replace function private.first_id(at timestamptz)
returns uuid
language sql immutable strict
set search_path = pg_catalog, pg_temp
as $$
  -- Before 1970, and after the year 10889, there are no ids: also of an infinite time, which a caller may write.
  select (lpad(to_hex(floor(greatest(0, least(extract(epoch from first_id.at) * 1000, x'ffffffffffff'::bigint)))::bigint), 12, '0')
    || '00000000000000000000')::uuid
$$;

comment on function private.first_id(timestamptz) is
$$The smallest id that private.new_id() could have made then: ids from it on are read by the primary key, so new rows need no index by time.$$;
