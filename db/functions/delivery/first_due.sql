create or replace function delivery.first_due(subscription_id text)
returns timestamptz
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select d.next_at from platform.event_delivery d
  where d.subscription_id = first_due.subscription_id and d.failed_at is null
  order by d.next_at
  limit 1
$$;

comment on function delivery.first_due(text) is
$$When the first of the events that wait for a subscription is or was due; null: none waits. It reads the index entries of all that were sent since the
last vacuum, so it is called once a second, and delivery.next_events begins where it ends.$$;
grant execute on function delivery.first_due(text) to latchkey_worker;
