-- Every account is written once on each day of use: with room on the page, and no index on what changes, that is a HOT update.
create table "user".account (
  id uuid primary key,
  phone text
    constraint account_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$')
    constraint account_phone_is_unique unique,
  email text constraint account_email_is_normalized
    check (email = lower(email) and email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
  password_hash text constraint account_password_is_bcrypt check (password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}$'),
  phone_verified_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_on date not null default (now() at time zone 'UTC')::date,
  disabled_at timestamptz,
  disabled_reason text constraint account_disabled_reason_is_short check (length(disabled_reason) <= 1000),
  deletion_due_at timestamptz,
  foreign_parameters text,
  import_fingerprint bytea,
  constraint account_disabled_has_a_reason check ((disabled_at is null) = (disabled_reason is null)),
  constraint account_foreign_parameters_have_a_hash check (foreign_parameters is null or password_hash is not null),
  constraint account_foreign_parameters_are_short check (length(foreign_parameters) <= 1000)
) with (fillfactor = 90);
comment on table "user".account is
  'A person with a verified phone. Registrations that wait for verification are in private.pending_registration.';
comment on column "user".account.id is 'The user''s id: claim sub of its tokens';
comment on column "user".account.phone is
  'E.164; null: somebody else registered the number after nobody had used the account for PHONE_RECYCLED_AFTER_DAYS, and nobody can sign in';
comment on column "user".account.email is 'Lower-cased; neither unique nor verified, and not a login name; null: none was given';
comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the server sends: of the password, or of an imported hash where foreign_parameters is not null. Null: '
  'a contested registration was verified, or the admin or an import made the account; a reset sets one, or POST /auth/password soon after a sign-in';
comment on column "user".account.phone_verified_at is 'When a code confirmed the phone that it has, or had last';
comment on column "user".account.created_at is 'When the account was made';
comment on column "user".account.updated_at is 'When phone, email or password last changed';
comment on column "user".account.last_used_on is 'Day (UTC) on which a session of it was last opened or refreshed';
comment on column "user".account.disabled_at is 'When an admin disabled it: nobody can sign in to it; null: it is not disabled';
comment on column "user".account.disabled_reason is 'Why, for other admins; null: it is not disabled';
comment on column "user".account.deletion_due_at is
  'When it is deleted, because its owner asked for that: until then a login restores it, from then on nobody can sign in to it and the '
  'clean-up erases it; null: it is not to be deleted';
comment on column "user".account.foreign_parameters is
  'The scheme, costs and salt of an imported hash, without the hash, until the first login: the server computes the hash of a typed '
  'password by them. Null: the password is stored in the native way';
comment on column "user".account.import_fingerprint is
  'Keyed fingerprint of the line that the account was imported from, which is skipped when the import runs again; null: it was not imported';

-- A login does the work of the highest cost in use, so that its duration does not reveal which cost an account has.
create index account_password_cost on "user".account ((substr(password_hash, 5, 2))) where password_hash is not null;

-- The clean-up finds the accounts to erase, an erasure the other accounts with the same email.
create index account_deletion_due_at on "user".account (deletion_due_at) where deletion_due_at is not null;
create index account_email on "user".account (email) where email is not null;
create unique index account_import_fingerprint on "user".account (import_fingerprint) where import_fingerprint is not null;

create type private.stored_password as (password_hash text, foreign_parameters text);
comment on type private.stored_password is 'What a typed password is compared with: columns of "user".account';

create type private.imported_user as (
  phone text, email text, foreign_prehash text, foreign_parameters text, created_at timestamptz, fingerprint bytea
);
comment on type private.imported_user is
  'A valid line of an import. foreign_prehash: keyed pre-hash of the imported hash, and null, like foreign_parameters, where the line has none';

-- A login rewrites its known client: with room on the page, and no index on what changes, it is a HOT update.
create table private.known_client (
  account_id uuid not null references "user".account (id) on delete cascade,
  client text not null,
  logged_in_at timestamptz not null,
  primary key (account_id, client)
) with (fillfactor = 70);
comment on table private.known_client is
  'Clients from which an account logged in: for private.known_client_lifetime() only LOGIN_FAILURES_PER_PHONE_AND_IP applies to them, '
  'so that strangers cannot lock the owner out.';
comment on column private.known_client.account_id is 'The account that logged in';
comment on column private.known_client.client is 'Client address, as limits count it';
comment on column private.known_client.logged_in_at is 'When the account last logged in from it';
alter table private.known_client enable row level security;

-- While a wide login limit is spent, every login looks up whether any account logged in from its address.
create index known_client_client on private.known_client (client);

-- What an erasure searches for besides an account's own phone. One-time passwords name these phones too, but are deleted before the
-- decisions about their sends.
create table private.earlier_phone (
  account_id uuid not null references "user".account (id) on delete cascade,
  phone text not null constraint earlier_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  held_until timestamptz,
  asked_at timestamptz,
  -- A row for each time that the account had the phone: between two of them it may have been another account's.
  constraint earlier_phone_key unique nulls not distinct (account_id, phone, held_until),
  constraint earlier_phone_was_held_or_asked_for check (held_until is not null or asked_at is not null)
);
comment on table private.earlier_phone is
  'Phones that an account had before, or asked to have: by these an erasure finds their rows. At most a hundred rows of an account, kept for '
  'private.earlier_phone_lifetime().';
comment on column private.earlier_phone.account_id is 'The account that had the phone, or asked for it';
comment on column private.earlier_phone.phone is 'E.164; it may be another account''s by now, or was all the time';
comment on column private.earlier_phone.held_until is
  'Rows of the phone up to then are about the account''s user (private.held_since); null: the account asked for it, and did not get it since';
comment on column private.earlier_phone.asked_at is 'When the account last asked to have it (POST /auth/phone); null: never';
alter table private.earlier_phone enable row level security;

-- An erasure looks whether another account had the phone too.
create index earlier_phone_phone on private.earlier_phone (phone);

-- Which account's cost and scheme a login to an unknown phone takes over (private.decoy_password).
create table private.decoy_key (
  is_one boolean primary key default true constraint decoy_key_is_one check (is_one),
  key bytea not null
);
comment on table private.decoy_key is 'One row: the key by which private.decoy_password chooses accounts. It never leaves the database.';
comment on column private.decoy_key.is_one is 'Limits the table to one row';
comment on column private.decoy_key.key is 'Random: without it nobody can compute which phones have the same account''s decoy';
alter table private.decoy_key enable row level security;

insert into private.decoy_key (key) values (crypto.gen_random_bytes(32));

-- Accounts in an order that has nothing to do with their phones, within the first digits of these.
create index account_decoy on "user".account (left(phone, 4), substr(sha256(uuid_send(id)), 1, 8)) where password_hash is not null;
