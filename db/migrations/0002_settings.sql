create table private.setting_definition (
  key text primary key,
  kind text not null constraint setting_definition_kind_is_known
    check (kind in ('integer', 'limit', 'limit or off', 'provider')),
  default_value jsonb,
  minimum bigint,
  maximum bigint,
  description text not null
);
comment on table private.setting_definition is
  'Every setting that exists: its kind, default, bounds (of integers) and meaning. '
  'An "integer" is a whole number within its bounds; a "limit" is text "requests/seconds"; "limit or off" may also be "off".';
alter table private.setting_definition enable row level security;

insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('ACCESS_TOKEN_TTL_SECONDS', 'integer', '3600', 1, 2592000, 'Lifetime of an access token, seconds'),
  ('REFRESH_TOKEN_TTL_SECONDS', 'integer', '2592000', 1, 315360000, 'Lifetime of a refresh token, seconds'),
  ('REFRESH_REUSE_GRACE_SECONDS', 'integer', '10', 0, 3600, 'How long the refresh token just replaced still refreshes, seconds; 0 is never'),
  ('OTP_LENGTH', 'integer', '6', 4, 10, 'Digits of a one-time password'),
  ('OTP_TTL_SECONDS', 'integer', '300', 1, 86400, 'Lifetime of a one-time password, seconds'),
  ('OTP_MAX_ATTEMPTS', 'integer', '5', 1, 100, 'Wrong guesses that block a one-time password'),
  ('OTP_SEND_TIMEOUT_SECONDS', 'integer', '10', 1, 60, 'How long POST /otp/send waits for the provider, seconds'),
  ('OTP_SEND_PER_IDENTIFIER', 'limit', '"3/3600"', null, null, 'One-time passwords sent to one phone or email'),
  ('OTP_SEND_PER_IP', 'limit', '"10/3600"', null, null, 'One-time passwords asked for by one client'),
  ('OTP_VERIFY_LIMIT', 'limit', '"5/900"', null, null, 'Verifications per identifier, purpose and client'),
  ('OTP_VERIFY_PER_IP', 'limit or off', '"60/900"', null, null, 'Verifications by one client'),
  ('REGISTER_PER_IP', 'limit or off', '"20/3600"', null, null, 'Registrations by one client'),
  ('GUEST_PER_IP', 'limit or off', '"off"', null, null, 'Guest sessions created by one client'),
  ('LOGIN_FAILURES_PER_PHONE_AND_IP', 'limit or off', '"10/900"', null, null, 'Failed logins to one phone by one client'),
  ('LOGIN_FAILURES_PER_PHONE', 'limit or off', '"100/3600"', null, null, 'Failed logins to one phone by clients it never logged in from'),
  ('LOGIN_FAILURES_PER_IP', 'limit or off', '"100/900"', null, null, 'Failed logins by one client'),
  ('PASSWORD_MIN_LENGTH', 'integer', '8', 1, 256, 'Shortest password, characters'),
  ('PASSWORD_HASH_COST', 'integer', '10', 4, 16, 'bcrypt cost of new password hashes; a login re-hashes a password stored at another'),
  ('OTP_PROVIDER', 'provider', null, null, null, 'SMS provider and text: {"providerToUse": …, "template": "… {{code}} … {{minutes}} …", options by provider}');

create table settings.configuration (
  key text primary key constraint configuration_key_is_known references private.setting_definition (key),
  value jsonb not null,
  updated_at timestamptz not null default now()
);
comment on table settings.configuration is
  'The settings in force. A change bites at the next request; a deleted row falls back to its default.';
alter table settings.configuration enable row level security;

insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d where d.default_value is not null;

create table private.environment_setting (
  key text primary key references private.setting_definition (key),
  value jsonb not null
);
comment on table private.environment_setting is
  'What the deployment''s environment wrote last, so that an operator''s later change by SQL is not undone by the next deployment.';
alter table private.environment_setting enable row level security;
