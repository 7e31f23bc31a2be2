-- What bounds the events of refused calls: one for each key of a limit and its period, one for each session and hour.
alter table platform.rate_limit add column refused_at timestamptz;
comment on column platform.rate_limit.refused_at is
  'When a refusal by this window was last an event (limit.exceeded), once in its period; null: never';
alter type private.rate_limit_verdict add attribute key text;
alter table "user".session add column reuse_detected_at timestamptz;
comment on column "user".session.reuse_detected_at is
  'When the reuse of a replaced refresh token was last an event (session.reuse_detected), once in an hour; null: never';
