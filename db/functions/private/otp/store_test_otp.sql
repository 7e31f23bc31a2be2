create or replace function private.store_test_otp(request private.send_request, code text)
returns platform.otp_transaction
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Not an update: attempts and verified_at only move forward ("platform".keep_otp_transaction_spent).
  delete from platform.otp_transaction o
  where o.identifier = request.identifier and o.purpose = request.purpose and o.delivery = 'test'
    and o.account_id is not distinct from request.account_id;
  request.awaited := false;
  request.counted_at := null;
  return private.store_otp(request, 'test', store_test_otp.code);
end
$$;

comment on function private.store_test_otp(private.send_request, text) is
$$Makes the one-time password of a test number: current at once, never sent, counted by no limit of the number. It takes the place of the
number's earlier one of the purpose, so that a number has one row for each. The caller holds the number's row of
private.verification_state. code: private.test_code.$$;
