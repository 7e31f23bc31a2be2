-- Subscriptions to events, and what waits for them.

create or replace function test.subscribe(id text, variadic types text[])
returns void
language sql
as $$
  insert into settings.event_subscription (id, url, types, secret_name)
  values (subscribe.id, 'https://hooks.example.com/' || subscribe.id, subscribe.types, subscribe.id)
$$;
comment on function test.subscribe(text, text[]) is $$Adds a subscription that is on.$$;

create or replace function test.next_event(subscription text, variadic in_flight uuid[] default '{}')
returns uuid
language sql
as $$
  select e.event_id from delivery.next_events(next_event.subscription, '-infinity', next_event.in_flight, 1) e
$$;
comment on function test.next_event(text, uuid[]) is $$The id of the event that the worker sends next.$$;

create or replace function test.age_deliveries(age interval)
returns void
language sql
as $$
  update platform.event_delivery d
  set queued_at = d.queued_at - age, next_at = d.next_at - age, failed_at = d.failed_at - age
$$;
comment on function test.age_deliveries(interval) is $$Moves what waits, and what was given up, back in time.$$;
