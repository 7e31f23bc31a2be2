create type fraud.send_facts as (
  at timestamptz,
  prefix text,
  country text,
  client text,
  purpose text,
  sends_this_hour bigint,
  sends_last_day bigint,
  country_unverified bigint,
  country_verified bigint,
  client_unverified bigint,
  client_verified bigint,
  since_last interval,
  known boolean
);
comment on type fraud.send_facts is
  'What the rules look at: the columns of these names of platform.send_decision. A fact that only rules in mode "off" need is null';

create type fraud.decision as (verdict text, rule text);
comment on type fraud.decision is 'Verdict and rule of platform.send_decision';

create type fraud.replayed as (
  rule text,
  decisions bigint,
  unknown bigint,
  refused_then bigint,
  refused_now bigint,
  saved numeric,
  saved_messages bigint,
  hurt bigint
);
comment on type fraud.replayed is
  'What a rule would have done to recorded decisions; rule null: all rules together. unknown: decisions without the facts that it needs, '
  'because it was off then. refused_then: as recorded. refused_now: under the replayed settings. saved_messages: of these, SMS that '
  'went to the vendor then. saved: their price, where the vendor reported one. hurt: of these, SMS whose code was used';

create table platform.send_decision (
  id uuid primary key,
  at timestamptz not null,
  prefix text not null constraint send_decision_prefix_is_a_prefix check (prefix ~ '^\+[1-9][0-9]{2,8}$'),
  country text not null constraint send_decision_country_is_a_code check (country ~ '^([A-Z]{2}|001)$'),
  client text not null,
  purpose text not null,
  verdict text not null constraint send_decision_verdict_is_known check (verdict in ('allowed', 'recorded', 'refused')),
  rule text,
  otp_id uuid,
  verified_at timestamptz,
  sends_this_hour bigint,
  sends_last_day bigint,
  country_unverified bigint,
  country_verified bigint,
  client_unverified bigint,
  client_verified bigint,
  since_last interval,
  known boolean,
  constraint send_decision_names_its_rule check ((rule is null) = (verdict = 'allowed')),
  constraint send_decision_refused_has_no_otp check ((otp_id is null) = (verdict = 'refused'))
) with (fillfactor = 90);
comment on table platform.send_decision is
  'Every decision to send an SMS, with the facts that it was made from, so that fraud.what_if can repeat it under other settings. '
  'Holds no phone. Kept for SEND_DECISION_RETENTION_DAYS.';
comment on column platform.send_decision.id is 'Time-ordered';
comment on column platform.send_decision.at is 'When it was decided';
comment on column platform.send_decision.prefix is 'The phone in E.164 without its last six digits, but with three digits or more: calling codes are whole';
comment on column platform.send_decision.country is 'ISO 3166-1 alpha-2 code of the phone''s country; 001: a number of no single country';
comment on column platform.send_decision.client is 'Client address, as limits count it; empty: erased with the account, or after private.send_client_lifetime()';
comment on column platform.send_decision.purpose is 'LOGIN, SIGNUP, PASSWORD_RESET or PHONE_CHANGE';
comment on column platform.send_decision.verdict is
  'allowed: no rule objected; recorded: a rule in mode "record" would have refused; refused: a rule in mode "enforce" refused, nothing was sent';
comment on column platform.send_decision.rule is 'The first setting that refused or would have; null: none';
-- Not a foreign key: one-time passwords are deleted sooner, and their clean-up would have to rewrite these rows.
comment on column platform.send_decision.otp_id is 'The one-time password, which may be deleted by now; null: refused';
comment on column platform.send_decision.verified_at is 'When its code was used; null: it was not';
comment on column platform.send_decision.sends_this_hour is 'Sends of the service in the clock hour, before this one';
comment on column platform.send_decision.sends_last_day is 'Sends of the service in the last 24 clock hours, before this one';
comment on column platform.send_decision.country_unverified is
  'Sends to the country in the last 24 clock hours, before this one, whose code was not used';
comment on column platform.send_decision.country_verified is 'Sends to the country in the 14 days (UTC) before this one''s whose code was used';
comment on column platform.send_decision.client_unverified is
  'Sends of the client in the last 24 clock hours, before this one, whose code was not used';
comment on column platform.send_decision.client_verified is 'Sends of the client in the 14 days (UTC) before this one''s whose code was used';
comment on column platform.send_decision.since_last is 'Time since the send to the phone before this one; a day where it is longer, or there was none';
comment on column platform.send_decision.known is
  'FRAUD_COUNTRY leaves it alone: the account signed in from this client lately, or it is a reset, which is only sent to accounts';
create index send_decision_at on platform.send_decision (at);
create index send_decision_otp_id on platform.send_decision (otp_id) where otp_id is not null;
-- An erasure finds the decisions about one address.
create index send_decision_client on platform.send_decision (client);

create table private.send_count (
  subject text collate "C" not null,
  period text collate "C" not null constraint send_count_period_is_known check (period in ('hour', 'day')),
  starts_at timestamptz not null,
  shard smallint not null,
  sends integer not null,
  verified integer not null,
  primary key (subject, period, starts_at, shard)
) with (fillfactor = 70);
comment on table private.send_count is
  'Counters of sends per clock hour and day (UTC). A counter is the sum of its shards: transactions add to different ones, so that '
  'they do not wait for each other. Written by private.count_send alone.';
comment on column private.send_count.subject is '"all", "country:" and its code, or "client:" and its address';
comment on column private.send_count.period is 'hour or day';
comment on column private.send_count.starts_at is 'First moment of the hour or day';
comment on column private.send_count.shard is 'A number from 0 to 7; of a client always 0, because its rate limit lets its sends pass one by one';
comment on column private.send_count.sends is 'Sends that began in this period; negative where another shard counted what this one gave back';
comment on column private.send_count.verified is 'Those of them whose code was used';
alter table private.send_count enable row level security;
