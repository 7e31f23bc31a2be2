create or replace function private.next_failure(failures integer, failed_at timestamptz)
returns integer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if private.failures_are_spent(next_failure.failures, next_failure.failed_at) then
    return next_failure.failures;
  end if;
  return case
    when next_failure.failures >= private.setting_integer('OTP_FAILURES_IN_A_ROW') then 1
    else next_failure.failures + 1
  end;
end
$$;

comment on function private.next_failure(integer, timestamptz) is
$$A count of failures in a row after one more: unchanged while it blocks, 1 after a block has ended.
failures: the count. failed_at: when the latest was counted.$$;
