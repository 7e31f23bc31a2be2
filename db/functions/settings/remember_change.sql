create or replace function settings.remember_change()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  c_variable constant text := 'latchkey.setting_changes';
  v_changes jsonb := coalesce(nullif(current_setting(c_variable, true), '')::jsonb, '[]');
begin
  perform set_config(
    c_variable,
    (v_changes || jsonb_build_object('key', coalesce(new.key, old.key), 'old', old.value, 'new', new.value))::text,
    true
  );
  return null;
end
$$;

comment on function settings.remember_change() is
$$Trigger of settings.configuration: hands the server what an admin changes, old and new values, in a variable of the transaction. The server
writes it into its log once the change is committed (graphql/engine/changes.ts). Null: there was, or is, no row, so the default.$$;

-- Not the row that settings.restore_default inserts: the deletion was the change.
create or replace trigger remember_change after insert or update or delete on settings.configuration
  for each row when (current_user = 'latchkey_admin' and pg_trigger_depth() = 0)
  execute function settings.remember_change();
