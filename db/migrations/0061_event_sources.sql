-- What bounds the events of refused calls: one for each key of a limit and its period, one for each session and hour.
alter table platform.rate_limit add column refused_at timestamptz;
comment on column platform.rate_limit.refused_at is
  'When a refusal by this window was last an event (limit.exceeded), once in its period; null: never';
alter type private.rate_limit_verdict add attribute key text;
alter table "user".session add column reuse_detected_at timestamptz;
comment on column "user".session.reuse_detected_at is
  'When the reuse of a replaced refresh token was last an event (session.reuse_detected), once in an hour; null: never';

comment on column platform.event.client is
  'Address as limits count it; null: not known, no account, erased, or SESSION_CLIENT_DETAILS is off';
comment on column platform.event.hash is
  'SHA-256 of the hash of the row before in its lane, and of this row without client (private.event_hash)';

-- It has spread the lanes over pages. Left in force, it would have PostgreSQL prune a page at nearly every event, which
-- doubles what one costs in a batch.
alter table private.event_lane reset (fillfactor);
