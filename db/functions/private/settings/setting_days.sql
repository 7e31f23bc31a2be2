create or replace function private.setting_days(key text)
returns interval
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return make_interval(days => private.setting(setting_days.key)::integer);
end
$$;

comment on function private.setting_days(text) is
$$The value in force of a setting that counts days, as an interval. key: as private.setting.$$;
