create or replace function private.next_failure(failures integer, failed_at timestamptz)
returns integer
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most jsonb := private.setting('OTP_FAILURES_IN_A_ROW');
begin
  if private.failures_are_spent(failures, failed_at) then
    return failures;
  end if;
  return case when v_most <> '"off"' and failures >= v_most::integer then 1 else failures + 1 end;
end
$$;

comment on function private.next_failure(integer, timestamptz) is
$$A count of failures in a row after one more: unchanged while it blocks, 1 after a block has ended.
failures: the count. failed_at: when the latest was counted.$$;
