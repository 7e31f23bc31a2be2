create or replace function settings.keep_setting_in_force()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update private.setting_in_force f
  set value = d.default_value
  from private.setting_definition d
  where d.key = f.key and (tg_op = 'TRUNCATE' or d.key = old.key);

  update private.setting_in_force f set value = new.value where f.key = new.key;
  return null;
end
$$;

comment on function settings.keep_setting_in_force() is
$$Trigger of settings.configuration: keeps private.setting_in_force, which everything reads. A row that is gone leaves the default.$$;

create or replace trigger keep_setting_in_force after insert or update or delete on settings.configuration
  for each row execute function settings.keep_setting_in_force();
create or replace trigger keep_setting_in_force_when_emptied after truncate on settings.configuration
  for each statement execute function settings.keep_setting_in_force();
