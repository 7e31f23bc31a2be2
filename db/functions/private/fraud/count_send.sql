create or replace function private.count_send(decision platform.send_decision, sends integer, verified integer)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_shards constant integer := 8;
  -- Consecutive transactions use different shards, and a batch of sends only one, so that batches do not wait for each
  -- other.
  v_shard smallint := (pg_current_xact_id()::text::bigint % c_shards)::smallint;
  v_hour timestamptz := date_trunc('hour', decision.at, 'UTC');
  v_day timestamptz := date_trunc('day', decision.at, 'UTC');
begin
  insert into private.send_count as c (subject, period, starts_at, shard, sends, verified)
  select s.subject, s.period, s.starts_at, s.shard, count_send.sends, count_send.verified
  from (values
    ('all', 'hour', v_hour, v_shard),
    ('country:' || decision.country, 'hour', v_hour, v_shard),
    ('country:' || decision.country, 'day', v_day, v_shard),
    ('client:' || decision.client, 'hour', v_hour, 0::smallint),
    ('client:' || decision.client, 'day', v_day, 0::smallint)
  ) s (subject, period, starts_at, shard)
  -- Every call locks its counters in this order, so that no two can deadlock. Two batches of calls may, and their
  -- lock_timeout ends one.
  order by s.subject collate "C", s.period collate "C", s.starts_at, s.shard
  on conflict on constraint send_count_pkey
    do update set sends = c.sends + excluded.sends, verified = c.verified + excluded.verified;
end
$$;

comment on function private.count_send(platform.send_decision, integer, integer) is
$$Adds to the counters of the hour and day of a decision, for the service, its country and its client. Call it as a
transaction's last lock. sends: 1, or -1 for a send that certainly did not happen. verified: 1 when its code was used.$$;
