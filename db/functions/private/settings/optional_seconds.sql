create or replace function private.optional_seconds(key text)
returns interval
language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  return make_interval(secs => nullif(private.setting(optional_seconds.key), '"off"')::integer);
end
$$;

comment on function private.optional_seconds(text) is
$$The value in force of a setting that counts seconds or is "off": then null. key: as private.setting.$$;
