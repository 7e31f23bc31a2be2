create or replace function delivery.record_event_delivery(subscription_id text, event_id uuid, error text)
returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_delivery platform.event_delivery;
begin
  if record_event_delivery.error is null then
    delete from platform.event_delivery d
    where d.subscription_id = record_event_delivery.subscription_id and d.event_id = record_event_delivery.event_id;
    -- Once a second is enough, and makes one dead row of many.
    insert into platform.event_subscription_state as t (subscription_id, last_success_at)
    values (record_event_delivery.subscription_id, v_now)
    on conflict on constraint event_subscription_state_pkey do update set last_success_at = excluded.last_success_at
      where (t.last_success_at < v_now - interval '1 second') is not false;
    return;
  end if;

  update platform.event_delivery d
  set attempts = d.attempts + 1, last_error = left(record_event_delivery.error, 200),
      next_at = v_now + private.event_retry_wait(d.attempts + 1),
      failed_at = case when d.queued_at <= v_now - private.event_delivery_period() then v_now end
  where d.subscription_id = record_event_delivery.subscription_id and d.event_id = record_event_delivery.event_id and d.failed_at is null
  returning d.* into v_delivery;
  if v_delivery.failed_at is null then
    -- They wait for it: nobody has to look at them before.
    update platform.event_delivery d set next_at = v_delivery.next_at
    where d.subscription_id = v_delivery.subscription_id and d.user_id = v_delivery.user_id and d.failed_at is null
      and d.next_at < v_delivery.next_at;
  end if;
  insert into platform.event_subscription_state as t (subscription_id, last_failure_at, last_error)
  values (record_event_delivery.subscription_id, v_now, left(record_event_delivery.error, 200))
  on conflict on constraint event_subscription_state_pkey do update set last_failure_at = excluded.last_failure_at, last_error = excluded.last_error
    where (t.last_failure_at < v_now - interval '1 second') is not false;
end
$$;

comment on function delivery.record_event_delivery(text, uuid, text) is
$$Records how an attempt ended. error: why the target did not take the event; null: it did. A failed one is tried again, later each time, and the
account's other events after it; a day after it was queued it is given up. Called a second time for an event that was taken, it changes nothing.$$;
grant execute on function delivery.record_event_delivery(text, uuid, text) to latchkey_worker;
