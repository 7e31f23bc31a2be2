-- A trace and the log follow a message from the request through the queue to the vendor, and to the vendor's receipt.

alter table platform.delivery_attempt
  add column trace text,
  add constraint delivery_attempt_trace_is_a_traceparent check (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
comment on column platform.delivery_attempt.trace is
  'Header traceparent (W3C Trace Context) of the attempt, which its receipt continues; null: no trace was recorded';

create type api.receipt_answer as (error api.error, otp_id uuid, trace text);
comment on type api.receipt_answer is 'The message that a receipt is about, for the log and traces; the vendor is not told (api.record_receipt)';
comment on column api.receipt_answer.otp_id is 'null: the receipt names no message of this provider, or says nothing final';
comment on column api.receipt_answer.trace is 'As of platform.delivery_attempt; null: as otp_id, or no trace was recorded';
