create or replace function private.has_full_backlog(subscription_id text, is_full boolean)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from platform.event_delivery d
    where d.subscription_id = has_full_backlog.subscription_id and d.failed_at is null
    offset case when has_full_backlog.is_full then private.most_events_waiting() / 2 else private.most_events_waiting() - 1 end
  )
$$;

comment on function private.has_full_backlog(text, boolean) is
$$Whether as many events wait for a subscription as may. is_full: it was full, and is so until half of them are gone.$$;
