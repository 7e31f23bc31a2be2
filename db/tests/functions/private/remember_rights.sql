begin;
select plan(2);
select private.remember_rights();
select set_eq('select line from private.granted_right', 'select private.rights_in_force()',
  'remember_rights stores the rights in force');
revoke execute on function api.log_in from latchkey_server;
select private.remember_rights();
select is_empty($$select line from private.granted_right where line ~ '^api\.log_in\(.*latchkey_server'$$,
  'a second call of remember_rights deletes the rights that are no longer in force');

select * from finish();
rollback;
