-- Every request reads a setting or two: one look into one index costs half of what the view's join did.
-- Nobody changes a setting between the copy below and the trigger that keeps it.
lock table settings.configuration in share row exclusive mode;

drop view private.setting_in_force;
create table private.setting_in_force (
  key text primary key references private.setting_definition (key) on delete cascade,
  value jsonb
);
comment on table private.setting_in_force is
  'What every setting is now: the value in settings.configuration, else the default. Kept by the trigger keep_setting_in_force '
  'of settings.configuration; a migration that adds a setting, or changes a default, does so here too.';
alter table private.setting_in_force enable row level security;

insert into private.setting_in_force (key, value)
select d.key, coalesce(c.value, d.default_value)
from private.setting_definition d
left join settings.configuration c on c.key = d.key;
