create or replace function delivery.next_event(subscription_id text, in_flight uuid[])
returns delivery.event_message
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_message delivery.event_message;
begin
  select d.event_id, e.type, s.url, s.secret_name, case when e.id is not null then private.event_payload(e) end
  into v_message
  from settings.event_subscription s
  cross join lateral (
    select d.event_id, d.next_at from platform.event_delivery d
    where d.subscription_id = s.id and d.failed_at is null and d.next_at <= clock_timestamp()
      and d.event_id <> all (next_event.in_flight)
      -- One of an account waits for the earlier ones, also while they are between attempts. Ids of one millisecond have no order.
      and (d.user_id is null or d.event_id = (
        select first.event_id from platform.event_delivery first
        where first.subscription_id = s.id and first.user_id = d.user_id and first.failed_at is null
        order by first.event_at, first.event_id
        limit 1
      ))
    order by d.next_at, d.event_at, d.event_id
    limit 1
  ) d
  left join platform.event e on e.id = d.event_id
  where s.id = next_event.subscription_id and s.enabled;
  return v_message;
end
$$;

comment on function delivery.next_event(text, uuid[]) is
$$The event to send next to a subscription: the earliest of an account before its others. in_flight: events that are being sent. Result: null if there
is none now, or the subscription is off or gone; type and payload are null where its month has been dropped since.$$;
grant execute on function delivery.next_event(text, uuid[]) to latchkey_worker;
