begin;
select plan(3);
update private.installation set production = true;
select is(test.call_as('latchkey_server', 'startup.migrated_for_production()', null::boolean), true, 'a migration in production is shown');
update private.installation set production = false;
select is(test.call_as('latchkey_server', 'startup.migrated_for_production()', null::boolean), false, 'and one elsewhere');
select is(test.call_as('latchkey_worker', 'startup.migrated_for_production()', null::boolean), false, 'a worker may call it, too');

select * from finish();
rollback;
