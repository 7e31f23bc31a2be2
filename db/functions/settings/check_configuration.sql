create or replace function settings.check_configuration()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_fault text := private.setting_fault(new.key, new.value);
begin
  if v_fault is not null then
    raise exception '%: %', new.key, v_fault using errcode = 'check_violation', constraint = 'configuration_value_is_valid';
  end if;
  v_fault := case when new.key = 'OTP_PROVIDER' then
    private.unknown_to_workers_fault(case when tg_op = 'UPDATE' then old.value end, new.value)
  end;
  if v_fault is not null then
    raise exception '%: %', new.key, v_fault using errcode = 'check_violation', constraint = 'configuration_value_is_valid';
  end if;
  new.updated_at := clock_timestamp();
  return new;
end
$$;

comment on function settings.check_configuration() is
$$Trigger of settings.configuration: refuses a value that private.setting_fault finds wrong, or a provider that no worker can use, with
a sentence, and sets updated_at.$$;

create or replace trigger check_configuration before insert or update on settings.configuration
  for each row execute function settings.check_configuration();
