create table platform.delivery_attempt (
  id uuid primary key,
  otp_id uuid not null constraint delivery_attempt_otp_id_fkey references platform.otp_transaction (id) on delete cascade,
  provider text not null,
  channel text not null constraint delivery_attempt_channel_is_known check (channel in ('sms', 'whatsapp', 'voice', 'email')),
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
create index delivery_attempt_otp_id on platform.delivery_attempt (otp_id);

-- For receipts that name the message by the vendor's id only.
create index delivery_attempt_vendor_message_id on platform.delivery_attempt (vendor_message_id) where vendor_message_id is not null;

-- For dashboards that read the last hours or day. Its expression is delivery_by_hour.hour, so PostgreSQL applies a condition on that.
create index delivery_attempt_hour on platform.delivery_attempt (date_bin(interval '1 hour', started_at, timestamptz 'epoch'));

create type delivery.message as (
  otp_id uuid,
  provider text,
  options jsonb,
  recipient text,
  body text,
  attempt_id uuid,
  channel text,
  timeout_ms integer
);
comment on type delivery.message is
  'A message to send now, as one attempt by one provider. The body holds the code: it exists here and at the vendor only. '
  'timeout_ms: how long the vendor may take';

create type delivery.provider as (name text, options jsonb);
comment on type delivery.provider is 'The SMS provider that OTP_PROVIDER names, and its options; all null where none is set';

create type delivery.clean_up_progress as (step integer, page bigint);
comment on type delivery.clean_up_progress is
  'How far a clean-up has come: the table, by its number in delivery.clean_up, and its first page that was not read yet; in '
  'the step that erases accounts, how many of those whose deletion is due are skipped. '
  'step is null when all tables are done';

create table private.worker_heartbeat (
  worker text primary key,
  at timestamptz not null,
  can_send boolean not null
);
comment on table private.worker_heartbeat is
  'A row per worker, written every 10 seconds (delivery.heartbeat): shows that a worker runs, and whether it can send SMS. '
  'Read by api.check_readiness. Nothing else depends on it: rows may be deleted at any time.';
comment on column private.worker_heartbeat.worker is 'A random id of the worker: a new one at each start';
comment on column private.worker_heartbeat.at is 'When the worker wrote last';
comment on column private.worker_heartbeat.can_send is 'Whether it could send SMS then, by a provider that OTP_PROVIDER named';
alter table private.worker_heartbeat enable row level security;
