create or replace function private.queue_otp(
  identifier text, identifier_type text, purpose text, awaited boolean, counted_at timestamptz,
  languages text[] default '{}', autofill text default null, account_id uuid default null, lifetime interval default null
)
returns platform.otp_transaction
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_otp platform.otp_transaction;
begin
  insert into platform.otp_transaction as o
    (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, created_at, expires_at, languages, autofill, account_id)
  values (
    private.new_id(), queue_otp.identifier, queue_otp.identifier_type, queue_otp.purpose, queue_otp.awaited, queue_otp.counted_at, 'queued',
    queue_otp.counted_at, queue_otp.counted_at + coalesce(queue_otp.lifetime, private.setting_period('OTP_TTL_SECONDS')),
    queue_otp.languages, queue_otp.autofill, queue_otp.account_id
  )
  returning o.* into v_otp;
  perform private.queue_send(v_otp.id, null);
  return v_otp;
end
$$;

comment on function private.queue_otp(text, text, text, boolean, timestamptz, text[], text, uuid, interval) is
$$Records a one-time password and queues its message in the same transaction: neither exists without the other.
identifier: E.164 or lower-cased email. identifier_type: PHONE or EMAIL. awaited: a request waits for the delivery.
counted_at: the moment that the limit counted, and its creation. languages: those of the request, the preferred one
first. autofill: private.autofill_target, or null. account_id: as private.current_otp. lifetime: null: OTP_TTL_SECONDS.$$;
