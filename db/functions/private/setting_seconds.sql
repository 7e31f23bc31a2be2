create or replace function private.setting_seconds(key text)
returns interval
language sql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select make_interval(secs => private.setting_integer(setting_seconds.key))
$$;

comment on function private.setting_seconds(text) is
$$The value in force of a setting that counts seconds, as an interval. key: as private.setting.$$;
revoke all on function private.setting_seconds(text) from public;
