create or replace function settings.keep_to_migrator()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text := coalesce(new.key, old.key);
  v_fault text := private.migrator_setting_fault(v_key, new.value, old.value);
begin
  if v_fault is not null then
    raise exception '%: %', v_key, v_fault using errcode = 'check_violation', constraint = 'configuration_is_the_migrators';
  end if;
  return null;
end
$$;

comment on function settings.keep_to_migrator() is
$$Trigger of settings.configuration, for every role that is no member of latchkey_owner, as the migrator is: refuses what
private.migrator_setting_fault keeps to the migrator.$$;

-- After the row was checked: its value is valid then. The condition is evaluated as the role that writes; the function
-- runs as the owner.
create or replace trigger keep_to_migrator after insert or update or delete on settings.configuration
  for each row when (not pg_has_role(current_user, 'latchkey_owner', 'member'))
  execute function settings.keep_to_migrator();
