create table "user".account (
  id uuid primary key,
  phone text not null
    constraint account_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$')
    constraint account_phone_is_unique unique,
  email text,
  password_hash text constraint account_password_is_bcrypt check (password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}$'),
  phone_verified_at timestamptz,
  registered_from text not null,
  registration_is_contested boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table "user".account is
  'A registered phone. Unverified until phone_verified_at is set; an unverified registration ends 24 hours after created_at.';
comment on column "user".account.phone is 'E.164';
comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the shell sends; null: a contested registration was verified, a reset sets the password';
comment on column "user".account.registered_from is 'Client address of the latest registration, as limits count it';
comment on column "user".account.registration_is_contested is
  'While unverified: two clients registered this phone with different passwords, so verifying will set none';
alter table "user".account enable row level security;

-- A login does the work of the highest cost in use, so that time does not tell which cost an account has.
create index account_password_cost on "user".account ((substr(password_hash, 5, 2))) where password_hash is not null;

-- fillfactor: a refresh rewrites the row; with room on the page and no index on what changes it is a HOT update.
create table "user".session (
  id uuid primary key,
  user_id uuid references "user".account (id) on delete cascade,
  user_type text not null constraint session_user_type_is_known check (user_type in ('guest', 'user')),
  role text not null constraint session_role_is_its_user_type check (role = user_type),
  access_token_id uuid not null,
  access_token_expires_at timestamptz not null,
  refresh_token_id uuid not null,
  refresh_token_expires_at timestamptz not null,
  previous_refresh_token_id uuid,
  rotated_at timestamptz,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint session_of_a_guest_has_no_user check ((user_type = 'guest') = (user_id is null))
) with (fillfactor = 70);
comment on table "user".session is
  'A session; live while revoked_at is null and refresh_token_expires_at has not come. Holds token ids (jti), never tokens.';
comment on column "user".session.user_id is 'Null for a guest';
comment on column "user".session.previous_refresh_token_id is
  'The refresh token replaced at rotated_at: refreshes within REFRESH_REUSE_GRACE_SECONDS of it, is theft afterwards';
alter table "user".session enable row level security;
create index session_user_id on "user".session (user_id) where user_id is not null;

create table private.known_client (
  account_id uuid not null references "user".account (id) on delete cascade,
  client text not null,
  logged_in_at timestamptz not null,
  primary key (account_id, client)
);
comment on table private.known_client is
  'Clients from which an account logged in: for 30 days they are bound by LOGIN_FAILURES_PER_PHONE_AND_IP alone, '
  'so that strangers cannot lock the owner out.';
alter table private.known_client enable row level security;
