create or replace function private.test_numbers_are_off()
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.is_production() and private.setting('OTP_TEST_NUMBERS_IN_PRODUCTION') <> '"on"';
end
$$;

comment on function private.test_numbers_are_off() is
$$Whether OTP_TEST_NUMBERS is refused and ignored: in production, unless OTP_TEST_NUMBERS_IN_PRODUCTION is on.$$;
