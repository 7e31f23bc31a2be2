create or replace function private.consume_otp(otp_id uuid)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  update platform.otp_transaction o set verified_at = clock_timestamp()
  where o.id = consume_otp.otp_id and o.verified_at is null
$$;

comment on function private.consume_otp(uuid) is
$$Marks a one-time password as used: it verifies once. otp_id: a row that private.check_otp has locked and found right.$$;
revoke all on function private.consume_otp(uuid) from public;
