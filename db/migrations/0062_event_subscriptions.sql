-- Webhooks of events: who is sent which, and what waits.
create table settings.event_subscription (
  id text primary key,
  url text not null,
  types text[] not null,
  secret_name text not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table settings.event_subscription is 'Targets to which events are sent as webhooks; at most 16';
comment on column settings.event_subscription.id is 'Name that the operator gives it: lower-case letters, digits, _ and -, 40 at most';
comment on column settings.event_subscription.url is
  'Where its events are posted; in production https, on a host that EVENT_HTTP_HOSTS lists in the environment of the worker';
comment on column settings.event_subscription.types is 'Types of the events that it gets: some of those of platform.event';
comment on column settings.event_subscription.secret_name is 'Name of the secret in EVENT_SECRETS, in the environment of the worker, that signs them';
comment on column settings.event_subscription.enabled is 'Whether it gets events; off drops those that wait for it';
comment on column settings.event_subscription.created_at is 'When it was added';

-- Beside the subscription, which only operators write.
create table platform.event_subscription_state (
  subscription_id text primary key,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  full_from timestamptz,
  full_to timestamptz
);
comment on table platform.event_subscription_state is 'How it goes with each subscription to events; no row: nothing was sent to it yet';
comment on column platform.event_subscription_state.subscription_id is 'Id of the subscription';
comment on column platform.event_subscription_state.last_success_at is 'When its target last took an event, within a second; null: never';
comment on column platform.event_subscription_state.last_failure_at is 'When its target last failed to take one, within a second; null: never';
comment on column platform.event_subscription_state.last_error is
  'Why: a status, the code of an error or what the worker lacks, and nothing that the target wrote; null: it never failed';
comment on column platform.event_subscription_state.full_from is
  'From when on events were not queued for it because too many waited; null: never. platform.replay_events queues them';
comment on column platform.event_subscription_state.full_to is 'Until when; null: still, or never';

-- A row of its own for each target of an event, written with the event. No foreign key: each event would lock the subscription's row.
create table platform.event_delivery (
  subscription_id text not null,
  event_id uuid not null,
  user_id uuid,
  event_at timestamptz not null,
  queued_at timestamptz not null,
  next_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  failed_at timestamptz,
  constraint event_delivery_pkey primary key (subscription_id, event_id)
);
comment on table platform.event_delivery is
  'Events that wait to be sent to a subscription, and those that were given up (failed_at). One that its target has taken is deleted';
comment on column platform.event_delivery.subscription_id is 'To which it is sent';
comment on column platform.event_delivery.event_id is 'What is sent, and the webhook-id by which its target knows it again';
comment on column platform.event_delivery.user_id is 'Of the event: those of an account are sent in their order. Null: it waits for no other';
comment on column platform.event_delivery.event_at is 'When it happened: its place in the order';
comment on column platform.event_delivery.queued_at is 'When it was queued; an attempt that fails a day later is the last one';
comment on column platform.event_delivery.next_at is 'Not sent before';
comment on column platform.event_delivery.attempts is 'How often it was tried';
comment on column platform.event_delivery.last_error is 'Why the last attempt failed: see platform.event_subscription_state.last_error; null: none has';
comment on column platform.event_delivery.failed_at is
  'When it was given up; null: it waits. The clean-up deletes it after FAILED_JOB_RETENTION_DAYS; platform.replay_events queues it again';
create index event_delivery_due on platform.event_delivery (subscription_id, next_at, event_at, event_id) where failed_at is null;
create index event_delivery_account on platform.event_delivery (subscription_id, user_id, event_at, event_id) where failed_at is null;
create index event_delivery_failed on platform.event_delivery (subscription_id, failed_at) where failed_at is not null;

create type delivery.event_message as (event_id uuid, type text, url text, secret_name text, payload text);
comment on type delivery.event_message is
  'An event for a target (delivery.next_event). event_id: also its webhook-id. secret_name: of EVENT_SECRETS. payload: the body, JSON; '
  'null, like type: the event is no longer kept';

create type delivery.event_backlog as (subscription_id text, waiting_since timestamptz, is_full boolean);
comment on type delivery.event_backlog is
  'A subscription whose events wait too long, or of which there are too many (delivery.watch_event_backlogs). waiting_since: when the oldest '
  'was queued';

create type platform.event_replay as (subscription_id text, queued integer);
comment on type platform.event_replay is 'What platform.replay_events queued. queued: the number of events';

create view platform.event_backlog with (security_invoker = true) as
select s.id as subscription_id, w.waiting, o.waiting_since, f.failed, t.last_success_at, t.last_failure_at, t.last_error, t.full_from, t.full_to
from settings.event_subscription s
left join platform.event_subscription_state t on t.subscription_id = s.id
-- The limits keep it quick, whatever waits.
cross join lateral (
  select count(*)::integer as waiting from (
    select from platform.event_delivery d where d.subscription_id = s.id and d.failed_at is null limit 10001
  ) some_waiting
) w
left join lateral (
  select d.queued_at as waiting_since from platform.event_delivery d
  where d.subscription_id = s.id and d.failed_at is null order by d.next_at limit 1
) o on true
cross join lateral (
  select count(*)::integer as failed from (
    select from platform.event_delivery d where d.subscription_id = s.id and d.failed_at is not null limit 10001
  ) some_failed
) f;
comment on view platform.event_backlog is 'How it goes with each subscription to events: what waits, what was given up, how its target answers';
comment on column platform.event_backlog.subscription_id is 'Id of the subscription';
comment on column platform.event_backlog.waiting is 'Events that wait, those between attempts included; 10001: more than 10000';
comment on column platform.event_backlog.waiting_since is 'When that of them was queued which is sent next; null: none waits';
comment on column platform.event_backlog.failed is 'Events that were given up after a day; 10001: more than 10000';
comment on column platform.event_backlog.last_success_at is 'See platform.event_subscription_state';
comment on column platform.event_backlog.last_failure_at is 'See platform.event_subscription_state';
comment on column platform.event_backlog.last_error is 'See platform.event_subscription_state';
comment on column platform.event_backlog.full_from is 'See platform.event_subscription_state';
comment on column platform.event_backlog.full_to is 'See platform.event_subscription_state';
