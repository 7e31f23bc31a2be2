create table "user".account (
  id uuid primary key,
  phone text not null
    constraint account_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$')
    constraint account_phone_is_unique unique,
  email text constraint account_email_is_normalized
    check (email = lower(email) and email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
  password_hash text constraint account_password_is_bcrypt check (password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}$'),
  phone_verified_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table "user".account is
  'A person with a verified phone. Registrations that wait for verification are in private.pending_registration.';
comment on column "user".account.id is 'The user''s id: claim sub of its tokens';
comment on column "user".account.phone is 'E.164';
comment on column "user".account.email is 'Lower-cased; neither unique nor verified, and not a login name; null: none was given';
comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the shell sends; null: a contested registration was verified, and a reset sets the password';
comment on column "user".account.phone_verified_at is 'When a code confirmed the phone';
comment on column "user".account.created_at is 'When the account was made, which is when its phone was verified';
comment on column "user".account.updated_at is 'When phone, email or password last changed';

-- A login does the work of the highest cost in use, so that its duration does not reveal which cost an account has.
create index account_password_cost on "user".account ((substr(password_hash, 5, 2))) where password_hash is not null;

-- A refresh rewrites the row: the fillfactor leaves room on the page, and no index covers what changes, so it is a HOT update.
-- One check instead of three, because PostgreSQL prepares each of them again at every insert.
create table "user".session (
  id uuid primary key,
  user_id uuid references "user".account (id) on delete cascade,
  user_type text not null,
  role text not null,
  access_token_id uuid not null,
  access_token_expires_at timestamptz not null,
  refresh_token_id uuid not null,
  refresh_token_expires_at timestamptz not null,
  previous_refresh_token_id uuid,
  rotated_at timestamptz,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint session_of_a_guest_has_no_user
    check (user_type = case when user_id is null then 'guest' else 'user' end and role = user_type)
) with (fillfactor = 70);
comment on table "user".session is
  'A session; live while revoked_at is null and refresh_token_expires_at is in the future. Holds token ids (jti), never tokens.';
comment on column "user".session.id is 'Claim sid of its tokens';
comment on column "user".session.user_id is 'Null for a guest';
comment on column "user".session.user_type is 'guest or user';
comment on column "user".session.role is 'The role that its tokens carry: the same as user_type';
comment on column "user".session.access_token_id is 'Claim jti of the current access token';
comment on column "user".session.access_token_expires_at is 'When the current access token expires';
comment on column "user".session.refresh_token_id is 'Claim jti of the current refresh token';
comment on column "user".session.refresh_token_expires_at is 'When the current refresh token expires, and the session with it unless it is refreshed';
comment on column "user".session.previous_refresh_token_id is
  'The refresh token that was replaced at rotated_at: it still refreshes within REFRESH_REUSE_GRACE_SECONDS, later its use is theft';
comment on column "user".session.rotated_at is 'When its tokens were last replaced; null: never';
comment on column "user".session.created_at is 'When it was opened';
comment on column "user".session.revoked_at is 'When it was revoked; null: it was not. Only ever moves forward';
create index session_user_id on "user".session (user_id) where user_id is not null;

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
