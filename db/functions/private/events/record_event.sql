create or replace function private.record_event(
  type text, user_id uuid, session_id uuid default null, data jsonb default '{}', client text default null
)
returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_event platform.event;
  v_lane record;
  v_tid tid;
begin
  if record_event.type <> all (private.event_types()) then
    raise exception 'there is no type of event %', record_event.type;
  end if;
  v_event.actor := private.event_actor(record_event.type, record_event.user_id);
  -- Strangers open sessions of guests by the thousand, and nobody could delete the events within the year.
  if record_event.user_id is null and record_event.type in ('session.opened', 'session.revoked')
    and v_event.actor !~ '^admin(:|$)' and private.setting('EVENT_GUEST_SESSIONS') <> '"on"'
  then
    return;
  end if;
  -- A statement of its own: what the lane holds is read after it is locked.
  select l.* into v_lane from private.take_event_lane() l;
  -- Before the id, whose month is then never an earlier one.
  v_event.at := clock_timestamp();
  v_event.id := private.new_id();
  v_event.type := record_event.type;
  v_event.user_id := record_event.user_id;
  v_event.session_id := record_event.session_id;
  -- An address is kept only where the account's erasure finds and removes it.
  v_event.client := case
    when record_event.client <> '' and record_event.user_id is not null and private.setting('SESSION_CLIENT_DETAILS') = '"on"' then record_event.client
  end;
  v_event.data := jsonb_strip_nulls(record_event.data || case
    when record_event.type = any (private.refusal_types()) then jsonb_build_object('request_id', private.request_id()) else '{}'
  end);
  v_event.lane := v_lane.lane;
  v_event.position := v_lane.position + 1;
  v_event.hash := private.event_hash(v_lane.hash, v_event);
  insert into platform.event select v_event.*;
  perform private.queue_event(v_event);
  update private.event_lane l set position = v_event.position, hash = v_event.hash where l.ctid = v_lane.tid returning l.ctid into strict v_tid;
  perform set_config('latchkey.event_lane', v_tid::text, true);
end
$$;

comment on function private.record_event(text, uuid, uuid, jsonb, text) is
$$Records what happens in this transaction: if it is rolled back, nothing happened. Nothing is waited for.
type: one of private.event_types(). user_id: the account that it concerns; null: none. session_id: the session; null: none, or several.
data: more of it, without phones, emails and secrets; members that are null are left out, and a refusal gets the
id of its request. client: address as limits count it, which is kept for
events of an account alone; null: not known.$$;
