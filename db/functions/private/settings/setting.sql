create or replace function private.setting(key text)
returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_value jsonb;
begin
  -- plpgsql, as in its two wrappers, because before PostgreSQL 18 a SQL function is planned again at every call, and
  -- every request reads several settings.
  select c.value into v_value from settings.configuration c where c.key = setting.key;
  if not found then
    select d.default_value into v_value from private.setting_definition d where d.key = setting.key;
  end if;
  return v_value;
end
$$;

comment on function private.setting(text) is
$$The value in force of a setting: the one in settings.configuration, or its default where that has no row.
key: a key of private.setting_definition. Result: null where there is neither, and for an unknown key.$$;
