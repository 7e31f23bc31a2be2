create table platform.otp_transaction (
  id uuid primary key,
  identifier text not null,
  identifier_type text not null constraint otp_transaction_identifier_type_is_known check (identifier_type in ('EMAIL', 'PHONE')),
  purpose text not null constraint otp_transaction_purpose_is_known check (
    purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_CHANGED', 'TEST')
  ),
  code_hash bytea constraint otp_transaction_code_is_hashed check (length(code_hash) = 32),
  attempts integer not null default 0,
  awaited boolean not null,
  counted_at timestamptz,
  delivery text not null constraint otp_transaction_delivery_is_known check (
    delivery in ('queued', 'sending', 'sent', 'refused', 'declined', 'unreachable', 'uncertain', 'dropped', 'cancelled', 'stored', 'test')
  ),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  current_since timestamptz,
  verified_at timestamptz,
  languages text[] not null default '{}',
  autofill text,
  account_id uuid constraint otp_transaction_account_id_fkey references "user".account (id) on delete cascade,
  constraint otp_transaction_of_a_phone_change_has_an_account check (
    (account_id is not null) = (purpose in ('PHONE_CHANGE', 'PHONE_CHANGED'))
  )
) with (fillfactor = 70);
comment on table platform.otp_transaction is
  'A one-time password. The current one of an identifier and purpose is the one with the latest current_since.';
comment on column platform.otp_transaction.id is 'otpId in the response to the request that made it';
comment on column platform.otp_transaction.identifier is 'E.164, or a lower-cased email address';
comment on column platform.otp_transaction.identifier_type is 'PHONE or EMAIL';
comment on column platform.otp_transaction.purpose is
  'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else. Internal ones: PHONE_CHANGE, a code for the account in account_id; '
  'PHONE_CHANGED, no code but a notice to the phone that an account had before; TEST, a message of the admin, whose code verifies nothing';
comment on column platform.otp_transaction.code_hash is 'HMAC-SHA-256 of id and code under the code key; null: no code was made yet';
comment on column platform.otp_transaction.attempts is 'Wrong guesses; at OTP_MAX_ATTEMPTS the code is blocked';
comment on column platform.otp_transaction.awaited is
  'A request waits for the delivery (POST /otp/send, POST /auth/phone); otherwise the worker alone decides about it (resets, notices, test '
  'messages)';
comment on column platform.otp_transaction.counted_at is 'The moment at which OTP_SEND_PER_IDENTIFIER counts it; null once given back';
comment on column platform.otp_transaction.delivery is
  'queued → sending → sent | refused (by the vendor, for the recipient) | declined (for the vendor''s own reasons) | unreachable (no '
  'connection) | uncertain (no clear answer); back to queued before another attempt; '
  'dropped: must not be sent; cancelled: no request waits any more; stored: EMAIL that is never sent; '
  'test: for a number of OTP_TEST_NUMBERS, to which nothing is sent';
comment on column platform.otp_transaction.created_at is 'When it was requested';
comment on column platform.otp_transaction.expires_at is 'From then on its code is refused';
comment on column platform.otp_transaction.current_since is 'When it replaced the code before it; null: it never did';
comment on column platform.otp_transaction.verified_at is 'When its code was used; null: it was not. Only ever moves forward';
comment on column platform.otp_transaction.languages is
  'Languages of the request (Accept-Language), the preferred one first: the message is written in the first that OTP_PROVIDER has a text for';
comment on column platform.otp_transaction.autofill is
  'What the last line of the message needs: "@" and a host of OTP_ORIGINS, or a hash of OTP_APP_HASHES; null: no such line';
comment on column platform.otp_transaction.account_id is
  'The account that requested a PHONE_CHANGE code, the only one that may use it, or that a PHONE_CHANGED notice is about; null: any other purpose';
create index otp_transaction_current on platform.otp_transaction (identifier, purpose, current_since desc)
  where current_since is not null;
create index otp_transaction_created_at on platform.otp_transaction (created_at);

-- For the policy of a user's own rows: without it PostgreSQL reads the whole table.
create index otp_transaction_identifier on platform.otp_transaction (identifier, created_at);
create index otp_transaction_account_id on platform.otp_transaction (account_id) where account_id is not null;

-- Guesses are counted whether or not there is a code, so that the answers reveal nothing to a caller without the code.
-- Constraints as strict as those of platform.otp_transaction, also because PostgreSQL takes time to check one: a wrong code changes a row
-- here where there is no code, and there where there is one, and the two must take equally long (private.count_guess).
create table private.guess_count (
  identifier_type text not null constraint guess_count_identifier_type_is_known check (identifier_type in ('EMAIL', 'PHONE')),
  identifier text not null,
  purpose text not null constraint guess_count_purpose_is_known check (purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE')),
  guesses integer not null constraint guess_count_holds_a_guess check (guesses > 0),
  first_guess_at timestamptz not null,
  account_id uuid,
  constraint guess_count_key unique nulls not distinct (identifier_type, identifier, purpose, account_id),
  constraint guess_count_of_a_phone_change_has_an_account check ((account_id is not null) = (purpose in ('PHONE_CHANGE')))
) with (fillfactor = 70);
comment on table private.guess_count is
  'Wrong codes for an identifier and purpose, whether or not there is a code: counted for OTP_TTL_SECONDS from the first one, or until '
  'a newer code is delivered.';
comment on column private.guess_count.identifier_type is 'PHONE or EMAIL';
comment on column private.guess_count.identifier is 'E.164, or a lower-cased email address';
comment on column private.guess_count.purpose is 'Purpose of the codes that were tried';
comment on column private.guess_count.guesses is 'Wrong codes since first_guess_at';
comment on column private.guess_count.first_guess_at is 'When the first of them was tried';
comment on column private.guess_count.account_id is 'The account whose PHONE_CHANGE codes were tried; null: another purpose';
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

create type private.otp_text as (purpose text, locale text, template text);
comment on type private.otp_text is
  'A text of OTP_PROVIDER. purpose and locale: its keys in "templates"; both null: "template", the last resort';

create type private.otp_text_cost as (purpose text, locale text, template text, encoding text, segments integer);
comment on type private.otp_text_cost is 'A row of the view settings.otp_template';
