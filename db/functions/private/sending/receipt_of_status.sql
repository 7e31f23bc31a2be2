create or replace function private.receipt_of_status(status text)
returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select case
    -- read: WhatsApp. completed: a call that was answered.
    when receipt_of_status.status in ('delivered', 'read', 'completed') then 'delivered'
    when receipt_of_status.status in ('undelivered', 'failed', 'rejected', 'expired', 'busy', 'no-answer', 'canceled') then 'undelivered'
  end
$$;

comment on function private.receipt_of_status(text) is
$$What a vendor's status of a message means: delivered or undelivered; null while it is not final (queued, sent, buffered) or unknown.
status: as Twilio (messages and calls), Vonage and our own receipts name it; no word means two things.$$;
