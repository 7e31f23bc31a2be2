create or replace function private.setting(key text)
returns jsonb
language sql stable parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(c.value, d.default_value)
  from private.setting_definition d
  left join settings.configuration c on c.key = d.key
  where d.key = setting.key
$$;

comment on function private.setting(text) is
$$The value in force of a setting: the stored one, else its default.
key: a key of private.setting_definition. Null for an unknown key or where there is neither.$$;
revoke all on function private.setting(text) from public;
