create or replace function private.setting(key text)
returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value jsonb;
begin
  -- plpgsql, like its two wrappers: before PostgreSQL 18 a SQL function is planned anew at every call, and every
  -- request reads several settings.
  select s.value into v_value from private.setting_in_force s where s.key = setting.key;
  return v_value;
end
$$;

comment on function private.setting(text) is
$$The value in force of a setting: the stored one, else its default.
key: a key of private.setting_definition. Null for an unknown key or where there is neither.$$;
