create or replace function private.fixed_code_counts(otp platform.otp_transaction)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return private.test_code(otp.identifier) is not null
    and not exists (select from "user".account a where a.phone = otp.identifier and not a.verified_by_test_code)
    and not exists (select from "user".account a where a.id = otp.account_id and not a.verified_by_test_code);
end
$$;

comment on function private.fixed_code_counts(platform.otp_transaction) is
$$Whether the fixed code of a test number is worth anything: the number still is one, and neither it nor the account that asked for it
belongs to somebody whose phone a code that was sent, an import or the admin confirmed. otp: with delivery test.$$;
