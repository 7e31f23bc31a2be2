begin;
select plan(2);
select is(private.installed_migration(), (select name::text from migration.applied order by id desc limit 1), 'the latest migration applied is named');
insert into migration.applied (name, run_on) values ('9999_of_tomorrow', now());
select is(private.installed_migration(), '9999_of_tomorrow', 'the next one once it is applied');

select * from finish();
rollback;
