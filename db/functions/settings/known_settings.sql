create or replace function settings.known_settings()
returns setof settings.known_setting
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select d.key, d.kind, coalesce(c.value, d.default_value), d.default_value, d.minimum, d.maximum, d.description, c.updated_at
  from private.setting_definition d left join settings.configuration c on c.key = d.key;
end
$$;

comment on function settings.known_settings() is
$$@behavior -*
The rows of the view settings.setting, which GraphQL shows instead.$$;
grant execute on function settings.known_settings() to latchkey_admin;

create or replace view settings.setting with (security_invoker = true) as
  select s.key, s.kind, s.value, s.default_value, s.minimum, s.maximum, s.description, s.updated_at from settings.known_settings() s;
comment on view settings.setting is
  'Every setting that exists, with its value in force and what is valid. It is changed in settings.configuration, which checks it';
comment on column settings.setting.key is 'Name of the setting';
comment on column settings.setting.kind is 'Which values are valid: integer, limit ("requests/seconds"), either "or off", on or off, or a record of its own';
comment on column settings.setting.value is 'The value in force; null: none';
comment on column settings.setting.default_value is 'In force without a row in settings.configuration; null: there is none';
comment on column settings.setting.minimum is 'Smallest valid integer; null for other kinds';
comment on column settings.setting.maximum is 'Largest valid integer; null for other kinds';
comment on column settings.setting.description is 'What it means, with its unit';
comment on column settings.setting.updated_at is 'When the value was written; null: the default is in force';
