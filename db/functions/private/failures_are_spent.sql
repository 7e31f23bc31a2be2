create or replace function private.failures_are_spent(failures integer, failed_at timestamptz)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most jsonb := private.setting('OTP_FAILURES_IN_A_ROW');
begin
  return coalesce(
    v_most <> '"off"' and failures >= v_most::integer and failed_at + private.failures_block() > clock_timestamp(),
    false
  );
end
$$;

comment on function private.failures_are_spent(integer, timestamptz) is
$$Whether so many wrong codes in a row, the latest at that moment, block verification: OTP_FAILURES_IN_A_ROW or more, for private.failures_block().$$;
