begin;
select plan(4);
select private.remember_catalog();
select set_eq('select line, fingerprint from private.catalog_line', 'select line, fingerprint from private.catalog_in_force()',
  'remember_catalog stores what is in force');
revoke execute on function api.log_in from latchkey_server;
alter policy "a user sees its own account" on "user".account using (true);
grant select on "user".account to public;
select private.remember_catalog(array['"user".account: public may select']);
select is_empty($$select line from private.catalog_line where line ~ '^api\.log_in\(.*latchkey_server'$$,
  'a second call deletes what is no longer there');
select is_empty('select line from private.catalog_changes() where is_lost', 'and stores what has changed');
select set_eq('select line from private.catalog_changes()', array['"user".account: public may select'],
  'what somebody else added is not remembered');

select * from finish();
rollback;
