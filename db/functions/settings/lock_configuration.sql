create or replace function settings.lock_configuration()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Locks a row that only the owner can lock. Otherwise two changes at once would each be checked against values that
  -- the other replaces.
  perform from private.setting_definition d where d.key = 'OTP_PROVIDER' for no key update;
  return null;
end
$$;

comment on function settings.lock_configuration() is
$$Trigger of settings.configuration: changes of settings run one at a time, so that settings.check_together sees all values that it compares.$$;

create or replace trigger lock_configuration before insert or update or delete on settings.configuration
  for each statement execute function settings.lock_configuration();
