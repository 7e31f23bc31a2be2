create or replace function delivery.watch_event_backlogs()
returns setof delivery.event_backlog
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_late_after constant interval := interval '10 minutes';
  v_id text;
  v_is_full boolean;
  v_backlog delivery.event_backlog;
begin
  for v_id in select s.id from settings.event_subscription s where s.enabled order by s.id loop
    v_is_full := private.is_full(v_id);
    if v_is_full is distinct from private.has_full_backlog(v_id, v_is_full) then
      insert into platform.event_subscription_state as t (subscription_id, full_from) values (v_id, clock_timestamp())
      on conflict on constraint event_subscription_state_pkey do update
        set full_from = case when v_is_full then t.full_from else clock_timestamp() end,
            full_to = case when v_is_full then clock_timestamp() end;
      v_is_full := not v_is_full;
    end if;
    v_backlog := row(v_id, (
      select d.queued_at from platform.event_delivery d
      where d.subscription_id = v_id and d.failed_at is null
      order by d.next_at
      limit 1
    ), v_is_full)::delivery.event_backlog;
    if v_is_full or v_backlog.waiting_since < clock_timestamp() - c_late_after then
      return next v_backlog;
    end if;
  end loop;
end
$$;

comment on function delivery.watch_event_backlogs() is
$$Bounds what waits for a subscription: where private.most_events_waiting() do, further events are not queued until half of them are gone, and full_from
and full_to say from when to when. Each worker calls it once a minute, and warns of the result: subscriptions that are full, or whose next event
was queued ten minutes ago.$$;
grant execute on function delivery.watch_event_backlogs() to latchkey_worker;
