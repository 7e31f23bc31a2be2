begin;
select plan(2);
select is(test.call_as('latchkey_worker', $$delivery.missing_rights()$$, null::text[]), '{}',
  'missing_rights returns an empty array after a migration');
revoke usage on schema delivery from latchkey_worker;
grant usage on schema delivery to latchkey_worker with grant option;
revoke select (phone) on "user".account from latchkey_user;
select is(test.call_as('latchkey_worker', $$delivery.missing_rights()$$, null::text[]),
  array['"user".account (phone): latchkey_user may select'],
  'missing_rights names a right that was revoked');

select * from finish();
rollback;
