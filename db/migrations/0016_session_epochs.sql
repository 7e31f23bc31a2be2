-- All sessions of a user end in constant time: the account counts how often that happened, and a session with another count is over.
alter table "user".account
  add session_epoch integer not null default 0,
  add sessions_ended_at timestamptz;
comment on column "user".account.session_epoch is
  'How often all of its sessions were ended at once: a session that has another number is over, whatever its revoked_at says';
comment on column "user".account.sessions_ended_at is
  'When that last happened, while rows of such sessions wait for the clean-up to write their revoked_at; null: none waits';
create index account_sessions_ended on "user".account (id) where sessions_ended_at is not null;

alter table "user".session add session_epoch integer not null default 0;
comment on column "user".session.session_epoch is
  'The account''s session_epoch when it was opened, or when all others were ended; 0 for a guest';
comment on table "user".session is
  'A session; live while revoked_at is null, session_epoch is the account''s and refresh_token_expires_at is in the future. Holds token ids '
  '(jti), never tokens.';

-- As before, and without the sessions that ended all at once.
drop index "user".session_not_revoked;
create index session_not_revoked on "user".session (user_id, session_epoch, created_at, id) where user_id is not null and revoked_at is null;

-- An installation where somebody wrote "off" keeps it.
update private.setting_definition set default_value = '100' where key = 'SESSIONS_PER_USER';
update settings.configuration c set value = '100'
from private.setting_definition d
where c.key = 'SESSIONS_PER_USER' and d.key = c.key and c.value = '"off"' and d.environment_value is null
  and c.updated_at = (select min(e.updated_at) from settings.configuration e);
