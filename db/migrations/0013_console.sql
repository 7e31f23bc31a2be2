-- What the operator console reads beyond the tables.

create type platform.limit_state as (
  policy text,
  client text,
  counted integer,
  requests integer,
  period_seconds integer,
  blocked_until timestamptz
);
comment on type platform.limit_state is
  'What a limit has counted for a phone, an email address, a client or a user''s id (platform.limits_of). policy: the setting; client: the '
  'purpose of the codes, the address that is counted together with it, or both; null: it is counted alone. counted: of requests, within '
  'period_seconds. blocked_until: when there is room again; null: there is room now';

create type platform.sent_in_hour as (hour timestamptz, country text, sent integer, verified integer);
comment on type platform.sent_in_hour is
  'Messages that began in an hour (UTC), and those of them whose code was used. country: ISO 3166-1 alpha-2; 001: a number of no single '
  'country; null: all other countries together';

create type platform.what_if_rule as (
  rule text,
  decisions integer,
  unknown integer,
  refused_then integer,
  refused_now integer,
  saved_messages integer,
  saved numeric,
  hurt integer
);
comment on type platform.what_if_rule is 'What a fraud rule would have done to recorded decisions: see fraud.replayed';

create type platform.live_count as (
  hour timestamptz,
  sent integer,
  verified integer,
  refused integer,
  waiting integer,
  signed_in integer,
  registered integer,
  workers integer
);
comment on type platform.live_count is 'What happened in this clock hour (platform.count_live). refused, waiting, signed_in and registered are '
  'counted among the latest 10000 rows of their tables, so they may be too low in a very busy hour';

create type settings.known_setting as (
  key text,
  kind text,
  value jsonb,
  default_value jsonb,
  minimum bigint,
  maximum bigint,
  description text,
  updated_at timestamptz
);
comment on type settings.known_setting is 'A setting that exists, with its value in force: a row of settings.setting';

create type settings.message_preview as (message text, encoding text, characters integer, segments integer, fault text);
comment on type settings.message_preview is
  'A text as its longest message: encoding is GSM-7 or UCS-2, segments how many SMS it is billed as; fault: why OTP_PROVIDER would refuse '
  'it; null: it would not';
