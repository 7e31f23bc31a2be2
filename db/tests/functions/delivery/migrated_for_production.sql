begin;
select plan(2);
update private.installation set production = true;
select is(test.call_as('latchkey_worker', 'delivery.migrated_for_production()', null::boolean), true, 'a migration in production is shown');
update private.installation set production = false;
select is(test.call_as('latchkey_worker', 'delivery.migrated_for_production()', null::boolean), false, 'and one elsewhere');

select * from finish();
rollback;
