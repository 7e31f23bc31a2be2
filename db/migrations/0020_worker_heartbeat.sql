create table private.worker_heartbeat (
  worker text primary key,
  at timestamptz not null,
  can_send boolean not null
);
comment on table private.worker_heartbeat is
  'A row per worker, written every 10 seconds (delivery.heartbeat): shows that a worker runs, and whether it can send SMS. '
  'Read by api.check_readiness. Nothing else depends on it: rows may be deleted at any time.';
comment on column private.worker_heartbeat.worker is 'Id of the worker''s pool: another one at each start';
comment on column private.worker_heartbeat.at is 'When the worker wrote last';
comment on column private.worker_heartbeat.can_send is 'Whether it could send SMS then, with the provider that OTP_PROVIDER named';
alter table private.worker_heartbeat enable row level security;

create type api.readiness_answer as (error api.error, failed text[]);
comment on type api.readiness_answer is 'The names of what is not ready, in alphabetical order; empty when everything is.';

create type delivery.provider as (name text, options jsonb);
comment on type delivery.provider is 'The SMS provider that OTP_PROVIDER names, and its options; all null where none is set.';
