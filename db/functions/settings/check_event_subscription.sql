create or replace function settings.check_event_subscription()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_fault text;
begin
  -- Otherwise two inserts at once would each count too few.
  perform from private.setting_definition d where d.key = 'OTP_PROVIDER' for no key update;
  v_fault := private.event_subscription_fault(new);
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', constraint = 'event_subscription_is_valid';
  end if;
  return new;
end
$$;

comment on function settings.check_event_subscription() is
$$Trigger of settings.event_subscription: refuses what private.event_subscription_fault finds wrong, with a sentence.$$;

create or replace trigger check_event_subscription before insert or update of id, url, types, secret_name, enabled
  on settings.event_subscription for each row execute function settings.check_event_subscription();
