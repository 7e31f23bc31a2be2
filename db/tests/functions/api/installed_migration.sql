begin;
select plan(2);

set local role latchkey_server;
select ok(api.installed_migration() ~ '^[0-9]{4}_[a-z_]+$', 'installed_migration returns the name of a migration');
reset role;
insert into migration.applied (name, run_on) values ('9999_from_newer_version', now());
set local role latchkey_server;
select is(api.installed_migration(), '9999_from_newer_version',
  'installed_migration returns the latest migration, also one that this version does not have');

reset role;
select * from finish();
rollback;
