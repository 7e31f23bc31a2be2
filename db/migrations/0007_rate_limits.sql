create table platform.rate_limit (
  key text collate "C" primary key,
  hits timestamptz[] not null default '{}',
  totals bigint[] not null default '{0}',
  constraint rate_limit_totals_match_hits check (cardinality(totals) = cardinality(hits) + 1)
) with (fillfactor = 70);
comment on table platform.rate_limit is 'Sliding windows: the requests that were allowed lately.';
comment on column platform.rate_limit.key is 'The setting''s name, a colon and the subject that is counted';
comment on column platform.rate_limit.hits is
  'When requests were allowed, oldest first. A limit of more than 60 requests has one entry per sixtieth of its period: the latest request in it';
comment on column platform.rate_limit.totals is 'Running totals: hits[n] stands for totals[n + 1] - totals[n] requests';

create type private.rate_limit_rule as (policy text, key text, requests integer, period interval);
comment on type private.rate_limit_rule is 'At most so many requests of this key in any such period';

create type private.rate_limit_verdict as (
  policy text,
  requests integer,
  period interval,
  wait interval,
  taken_at timestamptz
);
comment on type private.rate_limit_verdict is
  'Refused: policy and wait name the rule and how long it refuses. Allowed: wait is null, taken_at is the moment that was counted';
