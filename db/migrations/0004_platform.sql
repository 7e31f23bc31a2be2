create table platform.otp_transaction (
  id uuid primary key,
  identifier text not null,
  identifier_type text not null constraint otp_transaction_identifier_type_is_known check (identifier_type in ('EMAIL', 'PHONE')),
  purpose text not null constraint otp_transaction_purpose_is_known check (purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET')),
  code_hash bytea constraint otp_transaction_code_is_hashed check (length(code_hash) = 32),
  attempts integer not null default 0,
  awaited boolean not null,
  counted_at timestamptz,
  delivery text not null constraint otp_transaction_delivery_is_known check (
    delivery in ('queued', 'sending', 'sent', 'refused', 'unreachable', 'uncertain', 'dropped', 'cancelled', 'stored')
  ),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  current_since timestamptz,
  verified_at timestamptz
) with (fillfactor = 70);
comment on table platform.otp_transaction is
  'A one-time password. The current one of an identifier and purpose is that with the latest current_since.';
comment on column platform.otp_transaction.code_hash is
  'HMAC-SHA-256 of id and code under the code key; null: no code was made yet';
comment on column platform.otp_transaction.attempts is 'Wrong guesses; at OTP_MAX_ATTEMPTS the code is blocked';
comment on column platform.otp_transaction.awaited is
  'A request waits for the delivery (POST /otp/send); else the worker decides alone (POST /auth/reset-password)';
comment on column platform.otp_transaction.counted_at is
  'The moment it counts for in OTP_SEND_PER_IDENTIFIER; null once given back';
comment on column platform.otp_transaction.delivery is
  'queued → sending → sent | refused (by the vendor) | unreachable (no connection) | uncertain (no answer); '
  'dropped: not to be sent; cancelled: nobody waits any more; stored: EMAIL, which nobody sends';
comment on column platform.otp_transaction.current_since is 'When it replaced the code before it; null: it never did';
alter table platform.otp_transaction enable row level security;
create index otp_transaction_current on platform.otp_transaction (identifier, purpose, current_since desc)
  where current_since is not null;
create index otp_transaction_created_at on platform.otp_transaction (created_at);

create table platform.rate_limit (
  key text collate "C" primary key,
  hits timestamptz[] not null default '{}'
) with (fillfactor = 70);
comment on table platform.rate_limit is
  'Sliding windows: what was allowed lately, oldest first. The key is the setting''s name, a colon and what is counted.';
alter table platform.rate_limit enable row level security;
