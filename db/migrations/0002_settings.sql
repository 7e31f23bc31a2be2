create table private.setting_definition (
  key text primary key,
  kind text not null constraint setting_definition_kind_is_known
    check (kind in (
      'integer', 'integer or off', 'limit', 'limit or off', 'on or off', 'provider', 'origins', 'app hashes', 'test numbers', 'fraud rule',
      'reuse policy'
    )),
  default_value jsonb,
  minimum bigint,
  maximum bigint,
  description text not null,
  environment_value jsonb
);
comment on table private.setting_definition is
  'Every setting that exists: its kind, default, bounds and meaning. An "integer" is a whole number within its bounds; '
  'a "limit" is text "requests/seconds"; "integer or off" and "limit or off" may also be "off".';
comment on column private.setting_definition.key is 'Name of the setting, as in the environment';
comment on column private.setting_definition.kind is 'Decides which values are valid: see private.setting_fault';
comment on column private.setting_definition.default_value is 'In force where settings.configuration has no row; null: the setting has no default';
comment on column private.setting_definition.minimum is 'Smallest valid integer; null for other kinds';
comment on column private.setting_definition.maximum is 'Largest valid integer; null for other kinds';
comment on column private.setting_definition.description is 'What the setting means, with its unit';
comment on column private.setting_definition.environment_value is
  'What the environment of a deployment wrote last: it writes again only when its own value differs, so an operator''s change by SQL stays; '
  'null: it never wrote';
alter table private.setting_definition enable row level security;

insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('ACCESS_TOKEN_TTL_SECONDS', 'integer', '3600', 1, 2592000, 'Lifetime of an access token, seconds'),
  ('REFRESH_TOKEN_TTL_SECONDS', 'integer', '2592000', 1, 315360000, 'Lifetime of a refresh token, seconds'),
  ('REFRESH_REUSE_GRACE_SECONDS', 'integer', '10', 0, 3600, 'How long the refresh token just replaced still refreshes, seconds; 0 is never'),
  ('OTP_LENGTH', 'integer', '6', 4, 10, 'Digits of a one-time password'),
  ('OTP_TTL_SECONDS', 'integer', '300', 1, 86400, 'Lifetime of a one-time password, seconds'),
  ('OTP_MAX_ATTEMPTS', 'integer', '5', 1, 100, 'Wrong guesses that block a one-time password'),
  ('OTP_FAILURES_IN_A_ROW', 'integer or off', '100', 1, 100000,
   'Wrong codes for one phone, without a right one between them, that block its verification for a day'),
  ('OTP_SEND_TIMEOUT_SECONDS', 'integer', '10', 1, 60, 'How long POST /otp/send and POST /auth/phone wait for the provider, seconds'),
  ('OTP_SEND_PER_IDENTIFIER', 'limit', '"3/3600"', null, null, 'One-time passwords sent to one phone or email'),
  ('OTP_SEND_PER_IP', 'limit', '"10/3600"', null, null, 'One-time passwords requested by one client'),
  ('OTP_VERIFY_LIMIT', 'limit', '"5/900"', null, null, 'Verifications per identifier, purpose and client'),
  ('OTP_VERIFY_PER_IP', 'limit or off', '"60/900"', null, null, 'Verifications by one client'),
  ('REGISTER_PER_IP', 'limit or off', '"20/3600"', null, null, 'Registrations by one client'),
  ('GUEST_PER_IP', 'limit or off', '"600/60"', null, null, 'Guest sessions created by one client; loopback addresses are not counted'),
  ('LOGINS_PER_PHONE', 'limit or off', '"30/300"', null, null, 'Successful logins of one account'),
  ('LOGIN_FAILURES_PER_PHONE_AND_IP', 'limit or off', '"10/900"', null, null, 'Failed logins to one phone by one client'),
  ('LOGIN_FAILURES_PER_PHONE', 'limit or off', '"100/3600"', null, null,
   'Failed logins to one phone; once spent, only clients from which the account logged in lately may log in'),
  ('LOGIN_FAILURES_PER_IP', 'limit or off', '"100/900"', null, null,
   'Failed logins by one client; once spent, it may log in only to accounts that logged in from it lately'),
  ('PASSWORD_MIN_LENGTH', 'integer', '8', 1, 256, 'Shortest password, characters'),
  -- A call may run for ten seconds (statement_timeout of latchkey_server). bcrypt of a higher cost takes longer on a busy machine, and a
  -- change of password, or a login that changes a password's cost, computes two.
  ('PASSWORD_HASH_COST', 'integer', '10', 4, 14, 'bcrypt cost of new password hashes; a login re-hashes a password stored at another cost'),
  ('OTP_PROVIDER', 'provider', null, null, null, 'SMS provider and text: {"providerToUse": …, "template": "… {{code}} … {{minutes}} …", options by provider}'),
  ('EMAIL_DELIVERY', 'on or off', '"off"', null, null, 'Whether codes for an EMAIL are sent by SMTP; off: they are stored only'),
  ('OTP_ORIGINS', 'origins', '[]', null, null,
   'Web origins that input.autofill of POST /otp/send may name: ["https://app.example.com"]'),
  ('OTP_APP_HASHES', 'app hashes', '[]', null, null,
   'Hashes of Android apps that input.autofill of POST /otp/send may name, 11 characters each'),
  ('OTP_TEST_NUMBERS', 'test numbers', '{}', null, null,
   'Phones to which nothing is sent and whose code is fixed: {"+12025550123": {"code": "123456", "until": "2027-01-31T00:00:00Z"}}'),
  ('OTP_TEST_NUMBERS_IN_PRODUCTION', 'on or off', '"off"', null, null,
   'Whether OTP_TEST_NUMBERS works in production'),
  -- The rules compare with the 14 days before today: younger retention would delete what they read.
  ('SEND_DECISION_RETENTION_DAYS', 'integer', '90', 15, 3650, 'How long decisions about sends and their counters are kept, days'),
  ('FRAUD_CALLING_CODES', 'fraud rule', '{"mode": "off", "allowed": [], "blocked": [], "exempt": []}', null, null,
   'Calling codes to which SMS are sent (none listed: all), and those to which none is'),
  ('FRAUD_BUDGET', 'fraud rule', '{"mode": "off", "perHour": 1000, "perDay": 10000, "exempt": []}', null, null,
   'SMS of the whole service per clock hour, and in the last 24 of them'),
  ('FRAUD_COUNTRY', 'fraud rule', '{"mode": "record", "minimum": 50, "factor": 3, "exempt": []}', null, null,
   'Unverified SMS to one country in the last 24 clock hours: minimum, or factor times its daily verified ones if that is more'),
  ('FRAUD_CLIENT', 'fraud rule', '{"mode": "record", "minimum": 20, "factor": 3, "exempt": []}', null, null,
   'Unverified SMS of one client in the last 24 clock hours: minimum, or factor times its daily verified ones if that is more'),
  ('FRAUD_COOL_DOWN', 'fraud rule', '{"mode": "off", "seconds": 30, "exempt": []}', null, null,
   'Seconds between two SMS to one phone'),
  ('OTP_RETENTION_DAYS', 'integer', '30', 1, 3650,
   'How long one-time passwords and their delivery attempts are kept after the request, days'),
  ('SESSION_RETENTION_DAYS', 'integer', '7', 1, 3650, 'How long sessions are kept after they were revoked or expired, days'),
  ('FAILED_JOB_RETENTION_DAYS', 'integer', '7', 1, 3650, 'How long jobs that have used up their attempts are kept, days'),
  ('REFRESH_REUSE_POLICY', 'reuse policy', '"revoke"', null, null,
   'What a refresh token that was replaced leads to after the grace: revoke (the session), refuse (the request), or same-client '
   '(refuse to the client that holds the current tokens, revoke for any other)'),
  ('SESSION_CLIENT_DETAILS', 'on or off', '"on"', null, null, 'Whether sessions store the client''s address and user agent'),
  ('SESSION_MAX_SECONDS', 'integer or off', '"off"', 60, 315360000, 'How long after it was opened a session ends, refreshed or not, seconds'),
  ('SESSION_IDLE_SECONDS', 'integer or off', '"off"', 60, 315360000, 'How long after its last refresh a session ends, seconds'),
  ('SESSIONS_PER_USER', 'integer or off', '"off"', 1, 10000, 'Live sessions of one user: the oldest are revoked when one more opens'),
  ('LOGIN_BY_OTP', 'on or off', '"on"', null, null, 'Whether a LOGIN code signs in (POST /auth/login/otp); off: none is sent either'),
  ('PASSWORD_CHANGES_PER_USER', 'limit or off', '"10/3600"', null, null, 'Password changes of one account (POST /auth/password)'),
  ('PHONE_RECYCLED_AFTER_DAYS', 'integer or off', '"off"', 1, 3650,
   'After how many days without use a code alone does not open an account, and the next person who registers and verifies its phone gets it'),
  ('ACCOUNT_DELETION_GRACE_SECONDS', 'integer', '1209600', 0, 31536000,
   'How long after DELETE /auth/account a login still restores the account, seconds; 0: never'),
  ('EXPORTS_PER_USER', 'limit', '"5/3600"', null, null, 'GET /auth/account/export, per user'),
  ('OTP_TEST_SENDS', 'limit', '"10/3600"', null, null, 'Test messages that the admin sends, to all phones together');

create table settings.configuration (
  key text primary key constraint configuration_key_is_known references private.setting_definition (key),
  value jsonb not null,
  updated_at timestamptz not null default now()
);
comment on table settings.configuration is
  'The settings in force, read by private.setting. A change takes effect at the next request; a deleted row falls back to its default.';
comment on column settings.configuration.key is 'Name of the setting: a key of private.setting_definition';
comment on column settings.configuration.value is 'The value in force; checked when it is written';
comment on column settings.configuration.updated_at is 'When the value was written';

-- Every setting with a default gets a row: readers see what is in force, and reading one is a single look into an index.
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d where d.default_value is not null;
