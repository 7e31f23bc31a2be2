create or replace function private.failures_are_spent(failures integer, failed_at timestamptz)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    failures_are_spent.failed_at + private.failures_block() > clock_timestamp()
      and failures_are_spent.failures >= private.setting_integer('OTP_FAILURES_IN_A_ROW'),
    false
  );
end
$$;

comment on function private.failures_are_spent(integer, timestamptz) is
$$Whether so many wrong codes in a row, the latest at that moment, block verification (OTP_FAILURES_IN_A_ROW), for
private.failures_block().$$;
