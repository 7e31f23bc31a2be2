-- What a restore from a backup turns back is settled before the service goes on (private.restore_kind, platform.after_restore).
create type private.database_origin as (system_identifier bigint, timeline bigint, table_id bigint);
comment on type private.database_origin is
  'Which copy of the data this is. system_identifier: of the cluster; timeline: of its WAL, which a recovery and a promotion raise; table_id: the oid of '
  'private.installation, which pg_restore changes. Null where PostgreSQL does not tell';

alter table private.installation
  add column origin private.database_origin,
  add column marked_at timestamptz,
  add column restore_noticed_at timestamptz,
  add column sessions_refresh_after timestamptz;
comment on column private.installation.origin is
  'Of the copy of the data that was settled last: another one now means that a backup was restored, or a standby promoted; null: not recorded yet';
comment on column private.installation.marked_at is
  'When a process last showed that it used this database (startup.mark_database). A process that has seen a later one notices a restore';
comment on column private.installation.restore_noticed_at is
  'When a process had seen a later marked_at than the database holds; null once platform.after_restore has run';
comment on column private.installation.sessions_refresh_after is
  'When the latest restore was settled: a session whose tokens are older has to refresh them first; null: there was none';

create table private.restore (
  settled_at timestamptz constraint restore_pkey primary key,
  at timestamptz not null,
  is_failover boolean not null
);
comment on table private.restore is 'Restores and failovers of this database, of which there are few. Kept for good: explain_delivery reads them.';
comment on column private.restore.settled_at is 'When what it had turned back was settled';
comment on column private.restore.at is 'The moment of the restored data, as far as known';
comment on column private.restore.is_failover is 'True: a standby was promoted, and at most seconds were lost; false: a backup was restored';
alter table private.restore enable row level security;

alter table platform.otp_transaction add column voided_at timestamptz;
comment on column platform.otp_transaction.voided_at is 'When a restore or failover ended its code, and its message if it was not sent yet; null: none did';
