create or replace function private.setting_seconds(key text)
returns interval
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return make_interval(secs => private.setting(setting_seconds.key)::integer);
end
$$;

comment on function private.setting_seconds(text) is
$$The value in force of a setting that counts seconds, as an interval. key: as private.setting.$$;
