begin;
select plan(3);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

select private.make_recovery_codes(id, test.code_key()) from actor;
select is((select (f).id from test.call_as('latchkey_admin', format('"user".remove_factor(%L)', (select id from factor)), null::"user".factor) f), id, 'the admin removes a factor') from factor;
select is((select count(*)::integer from "user".factor) + (select count(*)::integer from private.recovery_code), 0, 'the last one takes the recovery codes along');
select is((select r.id from "user".remove_factor(gen_random_uuid()) r), null, 'an unknown one is none');

select * from finish();
rollback;
