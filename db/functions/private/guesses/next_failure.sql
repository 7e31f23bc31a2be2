create or replace function private.next_failure(failures integer, failed_at timestamptz, most integer)
returns integer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.failures_are_spent(failures, failed_at, most) then
    return failures;
  end if;
  return case when failures >= most then 1 else failures + 1 end;
end
$$;

comment on function private.next_failure(integer, timestamptz, integer) is
$$A count of failures in a row after one more: unchanged while it blocks, 1 after a block has ended.
failures: the count. failed_at: when the latest was counted. most: private.most_failures().$$;
