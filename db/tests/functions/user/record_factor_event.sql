begin;
select plan(5);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
select test.forget_events();

create temp table app on commit drop as select test.make_factor(alice, false) as id from actor;
select is(test.events(), '{}', 'an app that waits for its first code is no event');
update "user".factor set confirmed_at = now();
select is(test.events(), (select array[format('factor.added {"kind": "totp", "factor_id": "%s"}', id)] from app), 'it is once it was confirmed');
select test.make_passkey(alice, '\x01') from actor;
select is(cardinality(test.events('factor.added%')), 2, 'as a passkey is at once');
select test.forget_events();
delete from "user".factor f using app where f.id = app.id;
select is(test.events(), (select array[format('factor.removed {"kind": "totp", "factor_id": "%s"}', id)] from app), 'one that is removed is an event');
select test.forget_events();
delete from "user".account;
select is(test.events(), array['account.erased'], 'but not those that go with the account');

select * from finish();
rollback;
