create or replace function private.store_otp(request private.send_request, delivery text, code text default null)
returns platform.otp_transaction
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_notice_lifetime constant interval := interval '1 day';
  v_id uuid := private.new_id();
  v_now timestamptz := clock_timestamp();
  v_created_at timestamptz := coalesce(request.counted_at, v_now);
  v_lifetime interval := case when request.purpose = any (private.notice_purposes()) then c_notice_lifetime else private.setting_period('OTP_TTL_SECONDS') end;
  v_otp platform.otp_transaction;
begin
  insert into platform.otp_transaction as o (
    id, identifier, identifier_type, purpose, awaited, counted_at, delivery, created_at, expires_at, languages, autofill, account_id,
    current_since, code_hash
  )
  values (
    v_id, request.identifier, request.identifier_type, request.purpose, request.awaited, request.counted_at, store_otp.delivery,
    v_created_at, v_created_at + v_lifetime, coalesce(request.languages, '{}'), request.autofill, request.account_id,
    case when store_otp.code is not null then v_now end,
    case when store_otp.code is not null then private.hash_code(v_id, store_otp.code, request.code_key) end
  )
  returning o.* into v_otp;
  return v_otp;
end
$$;

comment on function private.store_otp(private.send_request, text, text) is
$$Stores a one-time password; a notice is one that lives for a day. delivery: queued, or what takes its place. code: where it is known now,
that of an email address that nothing is sent to or of a test number, which is current at once and kept as a hash; null: the worker makes it
(delivery.issue_otp_code).$$;
