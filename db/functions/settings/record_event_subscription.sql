create or replace function settings.record_event_subscription()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old jsonb := private.subscription_in_event(old);
  v_new jsonb := private.subscription_in_event(new);
begin
  if v_old is distinct from v_new or old.url is distinct from new.url then
    perform private.record_event('setting.changed', null, data => jsonb_build_object(
      'key', 'event_subscription.' || coalesce(new.id, old.id), 'old', v_old, 'new', v_new
    ));
  end if;
  return null;
end
$$;

comment on function settings.record_event_subscription() is
$$Trigger of settings.event_subscription: an event setting.changed tells who changed it, with its old and new values.$$;

create or replace trigger record_event_subscription after insert or delete or update of url, types, secret_name, enabled
  on settings.event_subscription for each row execute function settings.record_event_subscription();
