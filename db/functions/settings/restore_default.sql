create or replace function settings.restore_default()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  -- As the caller, who may insert: no function writes settings on behalf of its caller.
  insert into settings.configuration (key, value)
  select s.key, s.default_value from settings.setting s where s.key = old.key and s.default_value is not null;
  return null;
end
$$;

comment on function settings.restore_default() is
$$Trigger of settings.configuration: a deleted row is replaced by one with the default, because an UPDATE of a missing row would change
nothing and say nothing.$$;

create or replace trigger restore_default after delete on settings.configuration
  for each row execute function settings.restore_default();
