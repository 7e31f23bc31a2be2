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
  amr text[],
  authenticated_at timestamptz,
  client text,
  user_agent text,
  label text,
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
  'The refresh token that was replaced at rotated_at: it still refreshes within REFRESH_REUSE_GRACE_SECONDS; what its later use leads to, '
  'REFRESH_REUSE_POLICY says';
comment on column "user".session.rotated_at is 'When its tokens were last replaced; null: never';
comment on column "user".session.created_at is 'When it was opened';
comment on column "user".session.revoked_at is 'When it was revoked; null: it was not. Only ever moves forward';
comment on column "user".session.amr is
  'How the user signed in: claim amr of its tokens (RFC 8176); null: a guest, or a session that nobody signed in for';
comment on column "user".session.authenticated_at is 'When the user signed in: claim auth_time of its tokens, which a refresh keeps; null: as amr';
comment on column "user".session.client is
  'Client address, as limits count it, that its current tokens were issued to; null: SESSION_CLIENT_DETAILS was off';
comment on column "user".session.user_agent is 'Header User-Agent of the client that its current tokens were issued to; null: as client, or none was sent';
comment on column "user".session.label is 'Name that the client gave the session when it was opened; null: none';
create index session_user_id on "user".session (user_id) where user_id is not null;

-- A user's sessions by age, however many revoked ones are kept beside them. A refresh changes neither columns nor predicate. Not by id
-- alone: the planner would take the primary key for sorted already, and read everybody's newer sessions.
create index session_not_revoked on "user".session (user_id, created_at, id) where user_id is not null and revoked_at is null;

create type private.sign_in as (
  user_id uuid,
  amr text[],
  client text,
  user_agent text,
  label text,
  guest_session_id uuid
);
comment on type private.sign_in is
  'What opens a session. user_id: null for a guest. amr: see "user".session. client, user_agent, label: of the request. guest_session_id: the '
  'guest who signs in, whose session ends (platform.guest_promotion); null: none';

create type private.session_ends as (access_token timestamptz, refresh_token timestamptz);
comment on type private.session_ends is 'When tokens that are issued now expire';

create type private.listed_session as (
  session_id uuid,
  current boolean,
  created_at timestamptz,
  last_used_at timestamptz,
  client text,
  user_agent text,
  label text
);
comment on type private.listed_session is
  'A session as its user sees it in a list. current: it is the one that asks. last_used_at: its last refresh, or when it was opened';

create table platform.guest_promotion (
  -- Not a foreign key: sessions are deleted SESSION_RETENTION_DAYS after their end, and who a guest became stays true.
  guest_session_id uuid primary key,
  user_id uuid not null references "user".account (id) on delete cascade,
  promoted_at timestamptz not null
);
comment on table platform.guest_promotion is 'Guests who became users: what an application kept for the guest session belongs to the user now.';
comment on column platform.guest_promotion.guest_session_id is 'The guest session, which was revoked; it may be deleted by now';
comment on column platform.guest_promotion.user_id is 'The account that the guest signed in to';
comment on column platform.guest_promotion.promoted_at is 'When the guest signed in';
create index guest_promotion_user_id on platform.guest_promotion (user_id);
