begin;
select plan(2);

set local role latchkey_server;
select ok(api.installed_migration() ~ '^[0-9]{4}_[a-z_]+$', 'the server learns the name of the latest migration');
reset role;
insert into migration.applied (name, run_on) values ('9999_of_tomorrow', now());
set local role latchkey_server;
select is(api.installed_migration(), '9999_of_tomorrow', 'and tells a database of a newer version by it');

reset role;
select * from finish();
rollback;
