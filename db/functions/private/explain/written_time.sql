create or replace function private.written_time(at timestamptz)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select to_char(written_time.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
$$;

comment on function private.written_time(timestamptz) is
$$Formats a moment for sentences: 2026-01-31 13:05:00 UTC.$$;
