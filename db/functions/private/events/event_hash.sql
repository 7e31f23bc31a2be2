create or replace function private.event_hash(previous bytea, event platform.event)
returns bytea
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- The time as microseconds: its text depends on the session's time zone.
  return sha256(event_hash.previous || convert_to(jsonb_build_array(
    event.lane, event.position, event.id, event.type, (extract(epoch from event.at) * 1000000)::bigint,
    event.user_id, event.session_id, event.actor, event.data
  )::text, 'UTF8'));
end
$$;

comment on function private.event_hash(bytea, platform.event) is
$$The hash of an event: of the hash before it in its lane and of what else its row holds, as the text of a JSON array; but of the address, which an
erasure removes. previous: 32
bytes, zeros for the first event of a lane.$$;
