-- How a user signed in, what its sessions look like in a list, and guests who become users.
alter table "user".session
  add column amr text[],
  add column authenticated_at timestamptz,
  add column client text,
  add column user_agent text,
  add column label text;
comment on column "user".session.amr is
  'How the user signed in: claim amr of its tokens (RFC 8176); null: a guest, or a session that nobody signed in for';
comment on column "user".session.authenticated_at is 'When the user signed in: claim auth_time of its tokens, which a refresh keeps; null: as amr';
comment on column "user".session.client is
  'Client address, as limits count it, that its current tokens were issued to; null: SESSION_CLIENT_DETAILS was off';
comment on column "user".session.user_agent is 'Header User-Agent of the client that its current tokens were issued to; null: as client, or none was sent';
comment on column "user".session.label is 'Name that the client gave the session when it was opened; null: none';

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

alter type api.session_answer add attribute amr text[];
alter type api.session_answer add attribute authenticated_at timestamptz;
alter type api.session_answer add attribute promoted_session_id uuid;
comment on type api.session_answer is
  'A session, with the ids (jti) and expiry of the tokens that the shell signs for it. promoted_session_id: the guest session that it replaces';

create type private.session_ends as (access_token timestamptz, refresh_token timestamptz);
comment on type private.session_ends is 'When tokens that are issued now expire';

create type api.caller_answer as (
  error api.error,
  session_id uuid,
  user_type text,
  role text,
  user_id uuid,
  phone text,
  email text,
  created_at timestamptz,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  deletion_due_at timestamptz
);
comment on type api.caller_answer is
  'The caller''s session and account. deletion_due_at: when the account will be deleted; null: it will not, or there is none';

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

create type api.session_list_answer as (error api.error, sessions private.listed_session[]);
comment on type api.session_list_answer is 'Live sessions of a user, the newest first';

create type api.revocation_answer as (error api.error, revoked integer);
comment on type api.revocation_answer is 'How many sessions a call revoked';

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
alter table platform.guest_promotion enable row level security;

alter table private.setting_definition drop constraint setting_definition_kind_is_known;
alter table private.setting_definition add constraint setting_definition_kind_is_known check (
  kind in (
    'integer', 'integer or off', 'limit', 'limit or off', 'on or off', 'provider', 'origins', 'app hashes', 'test numbers', 'fraud rule',
    'reuse policy'
  )
);
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('REFRESH_REUSE_POLICY', 'reuse policy', '"revoke"', null, null,
   'What a refresh token that was replaced leads to after the grace: revoke (the session), refuse (the request), or same-client '
   '(refuse to the client that holds the current tokens, revoke for any other)'),
  ('SESSION_CLIENT_DETAILS', 'on or off', '"on"', null, null, 'Whether sessions store the client''s address and user agent'),
  ('SESSION_MAX_SECONDS', 'integer or off', '"off"', 60, 315360000, 'How long after it was opened a session ends, refreshed or not, seconds'),
  ('SESSION_IDLE_SECONDS', 'integer or off', '"off"', 60, 315360000, 'How long after its last refresh a session ends, seconds'),
  ('SESSIONS_PER_USER', 'integer or off', '"off"', 1, 10000, 'Live sessions of one user: the oldest are revoked when one more opens');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d
where d.key in (
  'REFRESH_REUSE_POLICY', 'SESSION_CLIENT_DETAILS', 'SESSION_MAX_SECONDS', 'SESSION_IDLE_SECONDS', 'SESSIONS_PER_USER'
);
