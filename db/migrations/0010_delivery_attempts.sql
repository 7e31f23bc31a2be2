create table platform.delivery_attempt (
  id uuid primary key,
  otp_id uuid not null constraint delivery_attempt_otp_id_fkey references platform.otp_transaction (id) on delete cascade,
  provider text not null,
  channel text not null,
  outcome text constraint delivery_attempt_outcome_is_known check (
    outcome in ('sent', 'refused', 'declined', 'unreachable', 'uncertain')
  ),
  vendor_message_id text,
  vendor_error text,
  price numeric,
  currency text,
  started_at timestamptz not null,
  duration_ms integer,
  receipt text constraint delivery_attempt_receipt_is_known check (receipt in ('delivered', 'undelivered')),
  receipt_error text,
  receipt_at timestamptz
) with (fillfactor = 80);
comment on table platform.delivery_attempt is
  'A row for each time that a message was passed to a vendor. Holds neither code nor text; deleted with its one-time password.';
comment on column platform.delivery_attempt.id is 'The vendor gets it as reference where it takes one, and names it in the receipt';
comment on column platform.delivery_attempt.otp_id is 'The one-time password whose message it was';
comment on column platform.delivery_attempt.provider is 'Name of the provider, as in OTP_PROVIDER; smtp for email';
comment on column platform.delivery_attempt.channel is 'sms, whatsapp, voice or email';
comment on column platform.delivery_attempt.outcome is
  'sent (accepted) | refused (for the recipient or text) | declined (for the vendor''s own reasons: credentials, balance, throttling) '
  '| unreachable (no connection) | uncertain (no clear answer: perhaps sent); null: in progress';
comment on column platform.delivery_attempt.vendor_message_id is 'The vendor''s id of the message, for its support';
comment on column platform.delivery_attempt.vendor_error is 'The vendor''s status and code, or the error of the connection; null when sent';
comment on column platform.delivery_attempt.price is 'What the vendor says it costs; null: it did not say';
comment on column platform.delivery_attempt.currency is 'Currency of price, ISO 4217';
comment on column platform.delivery_attempt.started_at is 'When the worker got the message';
comment on column platform.delivery_attempt.duration_ms is 'How long the vendor took, milliseconds';
comment on column platform.delivery_attempt.receipt is 'What the vendor''s delivery receipt said: delivered or undelivered; null: none came';
comment on column platform.delivery_attempt.receipt_error is 'The vendor''s code for an undelivered message';
comment on column platform.delivery_attempt.receipt_at is 'When the receipt came';
alter table platform.delivery_attempt enable row level security;

create index delivery_attempt_otp_id on platform.delivery_attempt (otp_id);
-- For receipts that name the message by the vendor's id only.
create index delivery_attempt_vendor_message_id on platform.delivery_attempt (vendor_message_id) where vendor_message_id is not null;

alter table platform.otp_transaction drop constraint otp_transaction_delivery_is_known;
alter table platform.otp_transaction add constraint otp_transaction_delivery_is_known check (
  delivery in ('queued', 'sending', 'sent', 'refused', 'declined', 'unreachable', 'uncertain', 'dropped', 'cancelled', 'stored')
);
comment on column platform.otp_transaction.delivery is
  'queued → sending → sent | refused (by the vendor, for the recipient) | declined (for the vendor''s own reasons) | unreachable (no '
  'connection) | uncertain (no clear answer); back to queued before another attempt; '
  'dropped: must not be sent; cancelled: no request waits any more; stored: EMAIL that is never sent';

alter type delivery.message add attribute attempt_id uuid;
alter type delivery.message add attribute channel text;
alter type delivery.message add attribute timeout_ms integer;
comment on type delivery.message is
  'A message to send now, as one attempt by one provider. The body holds the code: it exists here and at the vendor only. '
  'timeout_ms: how long the vendor may take';

alter table private.setting_definition drop constraint setting_definition_kind_is_known;
alter table private.setting_definition add constraint setting_definition_kind_is_known
  check (kind in ('integer', 'integer or off', 'limit', 'limit or off', 'on or off', 'provider'));
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('EMAIL_DELIVERY', 'on or off', '"off"', null, null, 'Whether codes for an EMAIL are sent by SMTP; off: they are stored only');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d where d.key = 'EMAIL_DELIVERY';
