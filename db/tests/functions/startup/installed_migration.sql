begin;
select plan(4);
select is(startup.installed_migration(), (select name::text from migration.applied order by id desc limit 1),
  'installed_migration returns the latest migration');
insert into migration.applied (name, run_on) values ('9999_from_newer_version', now());
select is(startup.installed_migration(), '9999_from_newer_version',
  'installed_migration returns a newer migration as soon as it is applied');

select is(test.call_as(role, 'startup.installed_migration()', null::text), '9999_from_newer_version', role || ' may call it')
from (values ('latchkey_server'), ('latchkey_worker')) r (role);

select * from finish();
rollback;
