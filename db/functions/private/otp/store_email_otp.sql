create or replace function private.store_email_otp(identifier text, purpose text, counted_at timestamptz, code_key bytea)
returns platform.otp_transaction
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id uuid := private.new_id();
  v_code text := private.make_code(private.setting_integer('OTP_LENGTH'));
  v_otp platform.otp_transaction;
begin
  insert into platform.otp_transaction as o
    (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, created_at, expires_at, current_since, code_hash)
  values (
    v_id, store_email_otp.identifier, 'EMAIL', store_email_otp.purpose, false, store_email_otp.counted_at, 'stored',
    store_email_otp.counted_at, store_email_otp.counted_at + private.setting_period('OTP_TTL_SECONDS'),
    clock_timestamp(), private.hash_code(v_id, v_code, store_email_otp.code_key)
  )
  returning o.* into v_otp;
  return v_otp;
end
$$;

comment on function private.store_email_otp(text, text, timestamptz, bytea) is
$$Makes and hashes the one-time password of an email address; nothing is sent (specification: What the service does).
identifier: lower-cased email. counted_at: the moment that the limit counted, and its creation. code_key: 32 bytes.$$;
