create or replace function private.failures_block()
returns interval
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select interval '1 day'
$$;

comment on function private.failures_block() is
$$How long OTP_FAILURES_IN_A_ROW wrong codes in a row block verification, from the latest one on.$$;
