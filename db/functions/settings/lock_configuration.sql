create or replace function settings.lock_configuration()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- A row that only the owner can lock. Two changes at once would each be checked against what the other is about to replace.
  perform from private.setting_definition d where d.key = 'OTP_PROVIDER' for no key update;
  return null;
end
$$;

comment on function settings.lock_configuration() is
$$Trigger of settings.configuration: changes of settings take turns, so that settings.check_together sees those that it compares.$$;

create or replace trigger lock_configuration before insert or update or delete on settings.configuration
  for each statement execute function settings.lock_configuration();
