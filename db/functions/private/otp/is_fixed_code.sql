create or replace function private.is_fixed_code(otp_id uuid)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from platform.otp_transaction o where o.id = is_fixed_code.otp_id and o.delivery = 'test');
end
$$;

comment on function private.is_fixed_code(uuid) is
$$Whether a code is the fixed one of a test number. An account that it makes gets verified_by_test_code, and it opens no other account.
otp_id: the one-time password whose code private.check_otp found right.$$;
