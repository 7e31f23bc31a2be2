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
  'A one-time password. The current one of an identifier and purpose is the one with the latest current_since.';
comment on column platform.otp_transaction.id is 'otpId in the response to the request that made it';
comment on column platform.otp_transaction.identifier is 'E.164, or a lower-cased email address';
comment on column platform.otp_transaction.identifier_type is 'PHONE or EMAIL';
comment on column platform.otp_transaction.purpose is 'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else';
comment on column platform.otp_transaction.code_hash is 'HMAC-SHA-256 of id and code under the code key; null: no code was made yet';
comment on column platform.otp_transaction.attempts is 'Wrong guesses; at OTP_MAX_ATTEMPTS the code is blocked';
comment on column platform.otp_transaction.awaited is
  'A request waits for the delivery (POST /otp/send); otherwise the worker alone decides about it (POST /auth/reset-password)';
comment on column platform.otp_transaction.counted_at is 'The moment at which OTP_SEND_PER_IDENTIFIER counts it; null once given back';
comment on column platform.otp_transaction.delivery is
  'queued → sending → sent | refused (by the vendor) | unreachable (no connection) | uncertain (no clear answer); '
  'dropped: must not be sent; cancelled: no request waits any more; stored: EMAIL, which is never sent';
comment on column platform.otp_transaction.created_at is 'When it was requested';
comment on column platform.otp_transaction.expires_at is 'From then on its code is refused';
comment on column platform.otp_transaction.current_since is 'When it replaced the code before it; null: it never did';
comment on column platform.otp_transaction.verified_at is 'When its code was used; null: it was not. Only ever moves forward';

create index otp_transaction_current on platform.otp_transaction (identifier, purpose, current_since desc)
  where current_since is not null;
create index otp_transaction_created_at on platform.otp_transaction (created_at);
-- For the policy of a user's own rows: without it PostgreSQL reads the whole table.
create index otp_transaction_identifier on platform.otp_transaction (identifier, created_at);

-- Guesses are counted whether or not there is a code, so that the answers reveal nothing to a caller without the code.
create table private.guess_count (
  identifier_type text not null,
  identifier text not null,
  purpose text not null,
  guesses integer not null,
  first_guess_at timestamptz not null,
  primary key (identifier_type, identifier, purpose)
) with (fillfactor = 70);
comment on table private.guess_count is
  'Wrong codes for an identifier and purpose, whether or not there is a code: counted for OTP_TTL_SECONDS from the first one, or until '
  'a newer code is delivered.';
comment on column private.guess_count.identifier_type is 'PHONE or EMAIL';
comment on column private.guess_count.identifier is 'E.164, or a lower-cased email address';
comment on column private.guess_count.purpose is 'Purpose of the codes that were tried';
comment on column private.guess_count.guesses is 'Wrong codes since first_guess_at';
comment on column private.guess_count.first_guess_at is 'When the first of them was tried';
alter table private.guess_count enable row level security;

create table private.verification_state (
  identifier_type text not null,
  identifier text not null,
  failures integer not null default 0,
  failed_at timestamptz,
  known_client_failures integer not null default 0,
  known_client_failed_at timestamptz,
  primary key (identifier_type, identifier)
) with (fillfactor = 70);
comment on table private.verification_state is
  'Wrong codes in a row for an identifier, over all codes, purposes and clients (OTP_FAILURES_IN_A_ROW; NIST SP 800-63B-4 section 3.2.2). '
  'Verifications and registrations of an identifier lock its row first, so they run one after another.';
comment on column private.verification_state.identifier_type is 'PHONE or EMAIL';
comment on column private.verification_state.identifier is 'E.164, or a lower-cased email address';
comment on column private.verification_state.failures is 'Wrong codes by any client since the last right one';
comment on column private.verification_state.failed_at is 'When the latest of failures was counted';
comment on column private.verification_state.known_client_failures is
  'Those by clients from which the account logged in lately: only these block such clients, so a stranger cannot';
comment on column private.verification_state.known_client_failed_at is 'When the latest of known_client_failures was counted';
alter table private.verification_state enable row level security;
