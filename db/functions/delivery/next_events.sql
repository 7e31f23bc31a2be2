create or replace function delivery.next_events(subscription_id text, due_from timestamptz, in_flight uuid[], most integer)
returns setof delivery.event_message
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- A variable can end the scan of an index, which clock_timestamp() itself cannot.
  v_now timestamptz := clock_timestamp();
begin
  return query
  select d.event_id, e.type, s.url, s.secret_name, e.payload
  from settings.event_subscription s
  cross join lateral (
    select d.event_id, d.next_at, d.event_at from platform.event_delivery d
    where d.subscription_id = s.id and d.failed_at is null
      and d.next_at >= next_events.due_from and d.next_at <= v_now
      and d.event_id <> all (next_events.in_flight)
      -- One of an account waits for the earlier ones, also while they are between attempts. Ids of one millisecond have no order.
      and (d.user_id is null or d.event_id = (
        select first.event_id from platform.event_delivery first
        where first.subscription_id = s.id and first.user_id = d.user_id and first.failed_at is null
        order by first.event_at, first.event_id
        limit 1
      ))
    order by d.next_at, d.event_at, d.event_id
    limit next_events.most
  ) d
  -- The limit keeps PostgreSQL from reading whole months for a few events.
  left join lateral (
    select e.type, private.event_payload(e) as payload from platform.event e where e.id = d.event_id limit 1
  ) e on true
  where s.id = next_events.subscription_id and s.enabled
  order by d.next_at, d.event_at, d.event_id;
end
$$;

comment on function delivery.next_events(text, timestamptz, uuid[], integer) is
$$The events to send next to a subscription, those that are due longest first; of an account only the earliest. due_from: a recent
delivery.first_due; what became due before and was committed since is found with the next one. in_flight: events that were taken before and are not
recorded yet. most: how many at most. Result: none if there are none now, or the subscription is off or gone; type and payload are null where the
month of the event has been dropped since.$$;
grant execute on function delivery.next_events(text, timestamptz, uuid[], integer) to latchkey_worker;
