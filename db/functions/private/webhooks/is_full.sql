create or replace function private.is_full(subscription_id text)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from platform.event_subscription_state t
    where t.subscription_id = is_full.subscription_id and t.full_from is not null and t.full_to is null
  )
$$;

comment on function private.is_full(text) is
$$Whether no further events are queued for a subscription because too many wait (delivery.watch_event_backlogs).$$;
