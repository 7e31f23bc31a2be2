create or replace function settings.drop_event_deliveries()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- In the order in which delivery.record_event_deliveries locks them.
  perform from platform.event_delivery d where d.subscription_id = old.id order by d.event_id for update;
  -- What was given up stays with a subscription that is off: it can be replayed once it is on again.
  delete from platform.event_delivery d
  where d.subscription_id = old.id and (tg_op = 'DELETE' or d.failed_at is null);
  if tg_op = 'DELETE' then
    delete from platform.event_subscription_state t where t.subscription_id = old.id;
  end if;
  return null;
end
$$;

comment on function settings.drop_event_deliveries() is
$$Trigger of settings.event_subscription: a subscription that is turned off or deleted drops what waits for it.$$;

create or replace trigger drop_of_deleted after delete on settings.event_subscription
  for each row execute function settings.drop_event_deliveries();
create or replace trigger drop_of_disabled after update of enabled on settings.event_subscription
  for each row when (old.enabled and not new.enabled) execute function settings.drop_event_deliveries();
