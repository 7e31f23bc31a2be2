create or replace function private.failures_are_spent(failures integer, failed_at timestamptz, most integer)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(failures >= most and failed_at + private.failures_block() > clock_timestamp(), false);
end
$$;

comment on function private.failures_are_spent(integer, timestamptz, integer) is
$$Whether so many wrong codes in a row, the latest at that moment, block verification, for private.failures_block().
most: private.most_failures().$$;
