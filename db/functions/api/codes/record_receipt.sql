create or replace function api.record_receipt(
  provider text, reference uuid, vendor_message_id text, status text, error_code text, price numeric, currency text
)
returns api.receipt_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_receipt text := private.receipt_of_status(record_receipt.status);
  v_attempt_id uuid;
  v_answer api.receipt_answer;
begin
  if v_receipt is null then
    return row(null, null, null)::api.receipt_answer;
  end if;
  v_attempt_id := private.attempt_of_receipt(record_receipt.provider, record_receipt.reference, record_receipt.vendor_message_id);

  -- One statement, so that of two receipts at once the second one sees what the first one wrote.
  update platform.delivery_attempt a
  set receipt = v_receipt,
      receipt_error = case when v_receipt = 'undelivered' then coalesce(record_receipt.error_code, record_receipt.status) end,
      receipt_at = clock_timestamp(),
      price = coalesce(a.price, record_receipt.price),
      currency = coalesce(a.currency, record_receipt.currency)
  where a.id = v_attempt_id
    and (a.receipt is null or a.receipt = 'undelivered' and v_receipt = 'delivered');
  select a.otp_id, a.trace into v_answer.otp_id, v_answer.trace from platform.delivery_attempt a where a.id = v_attempt_id;
  return v_answer;
end
$$;

comment on function api.record_receipt(text, uuid, text, text, text, numeric, text) is
$$POST /api/v1/otp/receipts/…: records what a vendor says became of a message. A receipt only moves forward: none, undelivered, delivered.
One that is repeated, comes out of order or names no message of this provider writes nothing, and is answered like any other: otherwise the
vendor would repeat it; the result names the message for the log. provider: whose signature was verified. reference: the id that we gave the vendor, of an attempt or of a one-time
password; or null. vendor_message_id: the vendor's own id, or null. status, error_code: the vendor's words, or null.
price, currency: stored unless the vendor named them when it took the message; or null. Errors: none.$$;
grant execute on function api.record_receipt(text, uuid, text, text, text, numeric, text) to latchkey_server;
