create or replace function platform.replay_events(subscription text, from_at timestamptz, to_at timestamptz)
returns setof platform.event_replay
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 10000;
  v_subscription settings.event_subscription;
  v_now timestamptz := clock_timestamp();
  v_events uuid[];
  v_fault text;
begin
  select s.* into v_subscription from settings.event_subscription s where s.id = replay_events.subscription for key share;
  v_fault := case
    when v_subscription.id is null then 'There is no such subscription.'
    when not v_subscription.enabled then 'The subscription is off: turn it on first.'
    when (replay_events.from_at < replay_events.to_at) is not true then 'from_at must be before to_at.'
    -- Half of the room stays free: nobody keeps new events from a target by sending it old ones.
    when private.is_full(v_subscription.id) or private.has_full_backlog(v_subscription.id, true) then 'Too many events wait for the subscription: replay once it is no longer full.'
  end;
  if v_fault is null then
    v_events := array(
      select e.id from platform.event e
      -- The id of an event was made just after its time: few months are read.
      where e.at >= replay_events.from_at and e.at < replay_events.to_at and e.type = any (v_subscription.types)
        and e.id >= private.first_id(greatest(replay_events.from_at, timestamptz 'epoch' + interval '1 day') - interval '1 minute')
        and e.id < private.first_id(least(replay_events.to_at, v_now) + interval '1 minute')
      limit c_most + 1
    );
    v_fault := case when cardinality(v_events) > c_most
      then format('There are more than %s events between from_at and to_at: choose a shorter time.', c_most)
    end;
  end if;
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', constraint = 'events_may_be_replayed';
  end if;

  -- Unlike DO UPDATE … WHERE it locks none of those that wait: the worker records their attempts meanwhile.
  insert into platform.event_delivery (subscription_id, event_id, user_id, event_at, queued_at, next_at)
  select v_subscription.id, e.id, e.user_id, e.at, v_now, v_now
  from platform.event e where e.id = any (v_events)
  order by e.id
  on conflict on constraint event_delivery_pkey do nothing;
  update platform.event_delivery d set queued_at = v_now, next_at = v_now, attempts = 0, failed_at = null
  where d.subscription_id = v_subscription.id and d.event_id = any (v_events) and d.failed_at is not null;
  perform private.record_event('admin.acted', null, data => jsonb_build_object(
    'action', 'replay_events', 'subscription', v_subscription.id,
    'from', replay_events.from_at, 'to', replay_events.to_at, 'events', cardinality(v_events)
  ));
  return next row(v_subscription.id, cardinality(v_events))::platform.event_replay;
end
$$;

comment on function platform.replay_events(text, timestamptz, timestamptz) is
$$Mutation replay_events: sends a subscription the events of a time again, those that were given up, that it has taken and that came while it was
full, off or not yet there: as many as are of its types, at most 10000. Each has the webhook-id that it had. An event that waits already goes on waiting.
subscription: its id. from_at, to_at: events that happened from the first and before the second. Result: how many events.$$;
grant execute on function platform.replay_events(text, timestamptz, timestamptz) to latchkey_admin;
