create type delivery.message as (
  otp_id uuid,
  provider text,
  options jsonb,
  recipient text,
  body text
);
comment on type delivery.message is 'An SMS to send now. The body holds the code: it exists here and at the vendor only';

create type delivery.provider as (name text, options jsonb);
comment on type delivery.provider is 'The SMS provider that OTP_PROVIDER names, and its options; all null where none is set';

create type delivery.clean_up_progress as (step integer, page bigint);
comment on type delivery.clean_up_progress is
  'How far a clean-up has come: the table, by its number in delivery.clean_up, and its first page that was not read yet. '
  'step is null when all tables are done';

create table private.worker_heartbeat (
  worker text primary key,
  at timestamptz not null,
  can_send boolean not null
);
comment on table private.worker_heartbeat is
  'A row per worker, written every 10 seconds (delivery.heartbeat): shows that a worker runs, and whether it can send SMS. '
  'Read by api.check_readiness. Nothing else depends on it: rows may be deleted at any time.';
comment on column private.worker_heartbeat.worker is 'Id of the worker''s pool: a new one at each start';
comment on column private.worker_heartbeat.at is 'When the worker wrote last';
comment on column private.worker_heartbeat.can_send is 'Whether it could send SMS then, by the provider that OTP_PROVIDER named';
alter table private.worker_heartbeat enable row level security;
