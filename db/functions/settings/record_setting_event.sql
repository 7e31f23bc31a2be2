create or replace function settings.record_setting_event()
returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text := coalesce(new.key, old.key);
  v_kind text := (select d.kind from private.setting_definition d where d.key = coalesce(new.key, old.key));
  -- Others may hold phones and codes of test numbers, or texts of any length.
  v_is_plain boolean := v_kind ~ '^(integer|limit|on or off|one of )';
begin
  perform private.record_event('setting.changed', null, null, jsonb_build_object(
    'key', v_key, 'old', case when v_is_plain then old.value end, 'new', case when v_is_plain then new.value end
  ));
  return null;
end
$$;

comment on function settings.record_setting_event() is
$$Trigger of settings.configuration: records what was changed, whoever did it, with the old and the new value of numbers, limits and words.$$;

-- Not the row that settings.restore_default inserts: the deletion was the change.
create or replace trigger record_setting_written after insert on settings.configuration
  for each row when (pg_trigger_depth() = 0) execute function settings.record_setting_event();
create or replace trigger record_setting_deleted after delete on settings.configuration
  for each row when (pg_trigger_depth() = 0) execute function settings.record_setting_event();
create or replace trigger record_setting_changed after update on settings.configuration
  for each row when (old.value is distinct from new.value) execute function settings.record_setting_event();
