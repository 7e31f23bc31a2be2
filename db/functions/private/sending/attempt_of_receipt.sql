create or replace function private.attempt_of_receipt(provider text, reference uuid, vendor_message_id text)
returns uuid
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select a.id from platform.delivery_attempt a
     where a.id = attempt_of_receipt.reference and a.provider = attempt_of_receipt.provider),
    (select a.id from platform.delivery_attempt a
     where a.otp_id = attempt_of_receipt.reference and a.provider = attempt_of_receipt.provider
     order by a.started_at desc limit 1),
    (select a.id from platform.delivery_attempt a
     where a.vendor_message_id = attempt_of_receipt.vendor_message_id and a.provider = attempt_of_receipt.provider
     order by a.started_at desc limit 1)
  )
$$;

comment on function private.attempt_of_receipt(text, uuid, text) is
$$The attempt that a delivery receipt is about; null: none of this provider. A receipt may come before the worker has recorded the vendor's
id, so our own reference decides. reference: id of an attempt, or of a one-time password, whose latest attempt counts; or null.
vendor_message_id: the vendor's id of the message, or null.$$;
