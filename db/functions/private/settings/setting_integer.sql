create or replace function private.setting_integer(key text)
returns integer
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return nullif(private.setting(setting_integer.key), '"off"')::integer;
end
$$;

comment on function private.setting_integer(text) is
$$The value in force of an integer setting; null while it is off. key: as private.setting.$$;
