create or replace function delivery.record_event_deliveries(subscription_id text, event_ids uuid[], errors text[])
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_event_id uuid;
  v_error text;
  v_last_error text;
  v_delivery platform.event_delivery;
begin
  for v_event_id, v_error in
    select o.event_id, o.error from unnest(record_event_deliveries.event_ids, record_event_deliveries.errors) o (event_id, error) order by o.event_id
  loop
    if v_error is null then
      delete from platform.event_delivery d
      where d.subscription_id = record_event_deliveries.subscription_id and d.event_id = v_event_id;
      continue;
    end if;
    v_last_error := left(v_error, 200);
    update platform.event_delivery d
    set attempts = d.attempts + 1, last_error = v_last_error,
        next_at = v_now + private.event_retry_wait(d.attempts + 1),
        failed_at = case when d.queued_at <= v_now - private.event_delivery_period() then v_now end
    where d.subscription_id = record_event_deliveries.subscription_id and d.event_id = v_event_id and d.failed_at is null
    returning d.* into v_delivery;
    if v_delivery.failed_at is null then
      -- They wait for it: nobody has to look at them before.
      update platform.event_delivery d set next_at = v_delivery.next_at
      where d.subscription_id = v_delivery.subscription_id and d.user_id = v_delivery.user_id and d.failed_at is null
        and d.next_at < v_delivery.next_at;
    end if;
  end loop;

  -- Once a second is enough, and makes one dead row of many. The first check writes and locks nothing, unlike ON CONFLICT … WHERE.
  insert into platform.event_subscription_state as t (subscription_id, last_success_at)
  select s.id, v_now from settings.event_subscription s
  where s.id = record_event_deliveries.subscription_id and array_position(record_event_deliveries.errors, null) is not null and not exists (
    select from platform.event_subscription_state t
    where t.subscription_id = record_event_deliveries.subscription_id and t.last_success_at >= v_now - interval '1 second'
  )
  on conflict on constraint event_subscription_state_pkey do update set last_success_at = excluded.last_success_at;
  insert into platform.event_subscription_state as t (subscription_id, last_failure_at, last_error)
  select s.id, v_now, v_last_error from settings.event_subscription s
  where s.id = record_event_deliveries.subscription_id and v_last_error is not null and not exists (
    select from platform.event_subscription_state t
    where t.subscription_id = record_event_deliveries.subscription_id and t.last_failure_at >= v_now - interval '1 second'
  )
  on conflict on constraint event_subscription_state_pkey do update set last_failure_at = excluded.last_failure_at, last_error = excluded.last_error;
end
$$;

comment on function delivery.record_event_deliveries(text, uuid[], text[]) is
$$Records how attempts ended. errors: for each event why the target did not take it; null: it did. A failed one is tried again, later each time, and the
account's other events after it; a day after it was queued it is given up. Called a second time for events that were taken, it changes nothing.$$;
grant execute on function delivery.record_event_deliveries(text, uuid[], text[]) to latchkey_worker;
