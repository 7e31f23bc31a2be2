create or replace function private.queue_event(event platform.event)
returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into platform.event_delivery (subscription_id, event_id, user_id, event_at, queued_at, next_at)
  select s.id, event.id, event.user_id, event.at, event.at, event.at
  from settings.event_subscription s
  where s.enabled and event.type = any (s.types) and not private.is_full(s.id)
$$;

comment on function private.queue_event(platform.event) is
$$Queues an event for every subscription that wants it, in the transaction of the event: none is lost, and none is sent of what was rolled
back. It neither locks nor notifies, so that it holds up no other transaction; delivery.queue_events finds the rows.$$;
