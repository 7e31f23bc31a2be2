-- Second factors: authenticator apps and passkeys, and the codes for whoever has lost them.
create table "user".factor (
  id uuid primary key,
  user_id uuid not null references "user".account (id) on delete cascade,
  kind text not null constraint factor_kind_is_known check (kind in ('totp', 'passkey')),
  label text constraint factor_label_is_short check (length(label) <= 64),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_used_at timestamptz,
  sealed_secret bytea,
  pepper_id text,
  last_step bigint,
  credential_id bytea constraint factor_credential_id_is_short check (length(credential_id) <= 1023)
    constraint factor_credential_id_is_unique unique,
  public_key bytea,
  sign_count bigint,
  transports text[],
  is_backup_eligible boolean,
  is_synced boolean,
  constraint factor_is_whole check (case kind
    when 'totp' then sealed_secret is not null and pepper_id is not null
      and credential_id is null and public_key is null and sign_count is null
    else credential_id is not null and public_key is not null and sign_count is not null and confirmed_at is not null
      and sealed_secret is null and pepper_id is null and last_step is null
  end)
);
comment on table "user".factor is
  'Second factors of users. A sign-in asks for one as soon as the account has a confirmed one (SECOND_FACTOR). Its rows are written under the '
  'lock of the account''s row.';
comment on column "user".factor.id is 'Time-ordered';
comment on column "user".factor.user_id is 'Whose it is';
comment on column "user".factor.kind is 'totp: an authenticator app (RFC 6238). passkey: WebAuthn';
comment on column "user".factor.label is 'Name that its user gave it; null: none';
comment on column "user".factor.created_at is 'When it was added';
comment on column "user".factor.confirmed_at is
  'When its first code was right; null: it waits for that, for private.enrolment_lifetime(), and nobody is asked for it';
comment on column "user".factor.last_used_at is 'When it was last used; null: never since it was confirmed';
comment on column "user".factor.sealed_secret is
  'The secret of an app, encrypted by the server (AES-256-GCM under a key derived from HASH_PEPPER): without the pepper nobody can read it. Null: a passkey';
comment on column "user".factor.pepper_id is 'Which HASH_PEPPER it is encrypted under; null: a passkey';
comment on column "user".factor.last_step is 'The latest step of 30 seconds whose code was used: it and earlier ones are refused; null: a passkey, or none yet';
comment on column "user".factor.credential_id is 'WebAuthn''s id of a passkey; null: an app';
comment on column "user".factor.public_key is 'A passkey''s public key (COSE); null: an app';
comment on column "user".factor.sign_count is 'A passkey''s counter at its last use, 0 where it has none; null: an app';
comment on column "user".factor.transports is 'How browsers reach the passkey''s device; null: an app, or not known';
comment on column "user".factor.is_backup_eligible is 'Whether the passkey may be copied to other devices; null: an app';
comment on column "user".factor.is_synced is 'Whether the passkey was copied to other devices when it was last used; null: an app';
create index factor_user_id on "user".factor (user_id);

create table private.recovery_code (
  user_id uuid not null references "user".account (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on table private.recovery_code is 'Codes that replace a second factor, once each. New ones replace all earlier ones.';
comment on column private.recovery_code.user_id is 'Whose they are';
comment on column private.recovery_code.code_hash is 'private.hash_code of the user''s id and the code';
comment on column private.recovery_code.used_at is 'When it was used; null: it was not';
alter table private.recovery_code enable row level security;

create table private.factor_challenge (
  id uuid primary key,
  purpose text not null constraint factor_challenge_purpose_is_known check (purpose in ('login', 'login_passkey', 'enrol', 'step_up')),
  user_id uuid references "user".account (id) on delete cascade,
  session_id uuid,
  session_epoch integer,
  sign_in private.sign_in,
  webauthn_challenge bytea,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint factor_challenge_has_a_user check ((user_id is null) = (purpose = 'login_passkey')),
  constraint factor_challenge_of_a_login_continues_it check ((sign_in is null) = (purpose in ('enrol', 'step_up'))),
  constraint factor_challenge_has_a_session check ((session_id is not null) = (purpose in ('enrol', 'step_up')))
);
comment on table private.factor_challenge is
  'What a second factor is to answer: a sign-in whose first step was right, or what a passkey is to sign. Its rows are written under the lock of '
  'the account''s row, if they have one, and deleted by the clean-up.';
comment on column private.factor_challenge.id is 'challenge_id of the answer; random, because whoever has it has done the first step';
comment on column private.factor_challenge.purpose is
  'login: the second step of a sign-in; login_passkey: a sign-in by a passkey alone; enrol: adding a passkey; step_up: of a session';
comment on column private.factor_challenge.user_id is 'The account; null: a passkey that signs in names it';
comment on column private.factor_challenge.session_id is 'The session that enrols or steps up; null: a sign-in, which has none yet';
comment on column private.factor_challenge.session_epoch is
  'The account''s session_epoch at the first step: a sign-in that began before all sessions were revoked opens none. Null: no sign-in of an account';
comment on column private.factor_challenge.sign_in is 'The session that it is to open, with what the first step proved; null: it opens none';
comment on column private.factor_challenge.webauthn_challenge is 'What a passkey signs; null: no passkey was asked for';
comment on column private.factor_challenge.attempts is 'Wrong answers; five end it';
comment on column private.factor_challenge.created_at is 'When it was made';
comment on column private.factor_challenge.expires_at is 'Until when it may be answered';
comment on column private.factor_challenge.used_at is 'When it was answered rightly; null: it was not';
alter table private.factor_challenge enable row level security;
create index factor_challenge_user_id on private.factor_challenge (user_id) where user_id is not null;

alter table "user".account add column factor_failures integer not null default 0;
comment on column "user".account.factor_failures is
  'Wrong answers of a second factor in a row: private.most_factor_failures() lock the factors until unlock_factors, or a passkey';

insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('FACTOR_FAILURES_PER_USER', 'limit', '"10/900"', null, null, 'Wrong codes of second factors of one account'),
  ('STEP_UP_MAX_AGE_SECONDS', 'integer', '600', 60, 86400,
   'How long after a sign-in or step-up a session may change factors, and, with a factor, its password, phone, email and account, seconds');
-- A kind that lists its values, for any setting of some words.
alter table private.setting_definition drop constraint setting_definition_kind_is_known;
update private.setting_definition set kind = 'one of revoke, refuse, same-client' where kind = 'reuse policy';
alter table private.setting_definition add constraint setting_definition_kind_is_known check (
  kind in (
    'integer', 'integer or off', 'limit', 'limit or off', 'on or off', 'provider', 'origins', 'app hashes', 'test numbers', 'fraud rule'
  )
  or kind ~ '^one of [a-z-]+(, [a-z-]+)+$'
);
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('SECOND_FACTOR', 'one of optional, required, off', '"optional"', null, null,
   'optional: accounts with a second factor are asked for it; required: every account has to add one; off: nobody is asked');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d
where d.key in ('FACTOR_FAILURES_PER_USER', 'STEP_UP_MAX_AGE_SECONDS', 'SECOND_FACTOR');

alter type api.session_answer add attribute acr text;
comment on column api.session_answer.acr is 'one of aal1, aal2: how strongly the user signed in; null: as with amr';

create type private.listed_factor as (
  factor_id uuid, kind text, label text, created_at timestamptz, last_used_at timestamptz, confirmed boolean
);
comment on type private.listed_factor is 'A second factor as its user sees it';
comment on column private.listed_factor.kind is 'one of totp, passkey';
comment on column private.listed_factor.label is 'the name that its user gave it; null: none';
comment on column private.listed_factor.last_used_at is 'null: never';

create type api.factor_list_answer as (error api.error, factors private.listed_factor[]);
comment on type api.factor_list_answer is 'The second factors of a user, the newest first';

create type api.new_totp_answer as (error api.error, factor_id uuid, user_id uuid, account_name text, sealed_secret text);
comment on type api.new_totp_answer is
  'A factor that waits for its first code. account_name: what the app is to show. sealed_secret: as it was given, in hexadecimal';

create type api.recovery_codes_answer as (error api.error, recovery_codes text[]);
comment on type api.recovery_codes_answer is 'Recovery codes in clear, which nobody can read again';
comment on column api.recovery_codes_answer.recovery_codes is 'null: none were made';

create type private.factor_attempt as (code text, recovery_code text, code_key bytea, factor_ids uuid[], factor_secrets bytea[]);
comment on type private.factor_attempt is
  'What a person gives as a second factor. code: of an app, six digits; or recovery_code: as private.make_recovery_code makes them, without '
  'hyphens. code_key: 32 bytes. factor_ids, factor_secrets: the user''s apps and their secrets, which the server decrypts when a function asks '
  'for them (private.factor_secrets_error); null until then';
