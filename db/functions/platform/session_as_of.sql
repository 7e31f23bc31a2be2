create or replace function platform.session_as_of(id uuid, at timestamptz default null)
returns setof platform.event
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_at timestamptz := coalesce(session_as_of.at, clock_timestamp());
  -- Its id has the time of its opening: 48 bits of milliseconds.
  v_time text := left(session_as_of.id::text, 13);
  -- An event's id is made after its time is taken, and ids of one millisecond have no order.
  v_first uuid := (v_time || '-0000-0000-000000000000')::uuid;
  v_user_id uuid;
begin
  select e.user_id into v_user_id from platform.event e
  where e.id >= v_first and e.id < private.first_id(to_timestamp(('x' || replace(v_time, '-', ''))::bit(48)::bigint / 1000.0) + interval '10 seconds')
    and e.type = 'session.opened' and e.session_id = session_as_of.id
  limit 1;
  if v_user_id is null then
    -- Of a guest. Nothing ends all guests' sessions at once.
    return query
    select e.* from platform.event e
    where e.user_id is null and e.id >= v_first and e.id < private.first_id(v_at + interval '10 seconds') and e.at <= v_at
      and e.session_id = session_as_of.id
    order by e.at, e.id;
    return;
  end if;
  return query
  select e.* from platform.event e
  where e.user_id = v_user_id and e.id >= v_first and e.id < private.first_id(v_at + interval '10 seconds') and e.at <= v_at
    and (
      e.session_id = session_as_of.id
      or e.type = 'session.revoked' and e.session_id is null and not coalesce(e.data -> 'kept' ? session_as_of.id::text, false)
    )
  order by e.at, e.id;
end
$$;

comment on function platform.session_as_of(uuid, timestamptz) is
$$Query session_as_of: what had become of a session at a moment, in the order in which it happened: by whom and from where it was opened, and when, why
and by whom it was revoked, alone or with others of its user; also once its row is deleted. The last event tells its state: without
session.revoked it was live, until its refresh token expired. id: the session. at: the moment; null: now. Result: none for a session from before
there were events, or of months that were dropped.$$;
grant execute on function platform.session_as_of(uuid, timestamptz) to latchkey_admin;
