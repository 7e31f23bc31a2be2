create or replace function private.setting_period(key text)
returns interval
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  v_number integer := nullif(private.setting(setting_period.key), '"off"')::integer;
begin
  if setting_period.key like '%\_DAYS' then
    return make_interval(days => v_number);
  end if;
  return make_interval(secs => v_number);
end
$$;

comment on function private.setting_period(text) is
$$The value in force of a setting that counts days (its name ends in _DAYS) or seconds, as an interval; null while it is off. key: as
private.setting.$$;
