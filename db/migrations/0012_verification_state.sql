-- Guesses are counted whether or not there is a code, so that nobody who lacks a code learns anything about it.
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
  'Verifications and registrations of one identifier lock its row first, so they run one after another.';
comment on column private.verification_state.failures is 'Wrong codes by any client since the last right one';
comment on column private.verification_state.failed_at is 'When the latest of failures came';
comment on column private.verification_state.known_client_failures is
  'Those by clients that the account logged in from lately: for them only these end verifying, which no stranger can do';
comment on column private.verification_state.known_client_failed_at is 'When the latest of known_client_failures came';
alter table private.verification_state enable row level security;

create table private.guess_count (
  identifier_type text not null,
  identifier text not null,
  purpose text not null,
  guesses integer not null,
  first_guess_at timestamptz not null,
  primary key (identifier_type, identifier, purpose)
) with (fillfactor = 70);
comment on table private.guess_count is
  'Wrong codes for an identifier and purpose, whether or not there is a code: counted for OTP_TTL_SECONDS from the first, or until a newer '
  'code is delivered.';
alter table private.guess_count enable row level security;

alter table private.setting_definition
  drop constraint setting_definition_kind_is_known,
  add constraint setting_definition_kind_is_known
    check (kind in ('integer', 'integer or off', 'limit', 'limit or off', 'provider'));
comment on table private.setting_definition is
  'Every setting that exists: its kind, default, bounds (of integers) and meaning. An "integer" is a whole number within its bounds; '
  'a "limit" is text "requests/seconds"; "integer or off" and "limit or off" may also be "off".';
-- The functions are still those of the version before, which know no such kind; they and their triggers come back with this version.
drop trigger if exists check_configuration on settings.configuration;
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('OTP_FAILURES_IN_A_ROW', 'integer or off', '100', 1, 100000,
   'Wrong codes for one phone, without a right one between them, that end verifying for it for a day');
insert into private.setting_in_force (key, value) values ('OTP_FAILURES_IN_A_ROW', '100');
insert into settings.configuration (key, value) values ('OTP_FAILURES_IN_A_ROW', '100');

-- While a wide login limit is spent, whether any account logged in from an address is looked up.
create index known_client_client on private.known_client (client);
