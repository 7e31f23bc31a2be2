begin;
select plan(2);
select is(private.installed_migration(), (select name::text from migration.applied order by id desc limit 1),
  'installed_migration returns the latest migration');
insert into migration.applied (name, run_on) values ('9999_from_newer_version', now());
select is(private.installed_migration(), '9999_from_newer_version',
  'installed_migration returns a newer migration as soon as it is applied');

select * from finish();
rollback;
