create or replace function private.test_code_fault()
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select format('the code of %s in OTP_TEST_NUMBERS must have %s digits (OTP_LENGTH)', n.phone, private.setting_integer('OTP_LENGTH'))
  from jsonb_each(private.setting('OTP_TEST_NUMBERS')) n (phone, entry)
  where length(n.entry ->> 'code') <> private.setting_integer('OTP_LENGTH')
  order by n.phone collate "C"
  limit 1
$$;

comment on function private.test_code_fault() is
$$Which code of OTP_TEST_NUMBERS does not have OTP_LENGTH digits, as a sentence; null when each has.$$;
