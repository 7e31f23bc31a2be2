create or replace function private.store_test_otp(
  identifier text, purpose text, code text, code_key bytea, account_id uuid default null
)
returns platform.otp_transaction
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id uuid := private.new_id();
  v_now timestamptz := clock_timestamp();
  v_otp platform.otp_transaction;
begin
  -- Not an update: attempts and verified_at only move forward ("platform".keep_otp_transaction_spent).
  delete from platform.otp_transaction o
  where o.identifier = store_test_otp.identifier and o.purpose = store_test_otp.purpose and o.delivery = 'test'
    and o.account_id is not distinct from store_test_otp.account_id;
  insert into platform.otp_transaction as o
    (id, identifier, identifier_type, purpose, awaited, delivery, created_at, expires_at, current_since, code_hash, account_id)
  values (
    v_id, store_test_otp.identifier, 'PHONE', store_test_otp.purpose, false, 'test', v_now,
    v_now + private.setting_period('OTP_TTL_SECONDS'), v_now, private.hash_code(v_id, store_test_otp.code, store_test_otp.code_key),
    store_test_otp.account_id
  )
  returning o.* into v_otp;
  return v_otp;
end
$$;

comment on function private.store_test_otp(text, text, text, bytea, uuid) is
$$Makes the one-time password of a test number: current at once, never sent. It takes the place of the number's earlier one of the purpose, so
that a number has one row for each. The caller holds the number's row of private.verification_state.
identifier: E.164. code: private.test_code. code_key: 32 bytes. account_id: as private.current_otp.$$;
