create or replace function private.test_code(identifier text)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry jsonb := private.setting('OTP_TEST_NUMBERS') -> test_code.identifier;
begin
  if v_entry is null or (v_entry ->> 'until')::timestamptz <= clock_timestamp() or private.test_numbers_are_off() then
    return null;
  end if;
  return v_entry ->> 'code';
end
$$;

comment on function private.test_code(text) is
$$The fixed code of a number of OTP_TEST_NUMBERS; null for every other identifier, once its time is over, and in production unless
OTP_TEST_NUMBERS_IN_PRODUCTION is on. identifier: E.164 or lower-cased email.$$;
