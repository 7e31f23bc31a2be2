begin;
select plan(2);
select private.remember_rights();
select set_eq('select line from private.granted_right', 'select private.rights_in_force()', 'what is in force is stored');
revoke execute on function api.log_in from latchkey_server;
select private.remember_rights();
select is_empty($$select line from private.granted_right where line ~ '^api\.log_in.*latchkey_server'$$, 'and nothing else stays');

select * from finish();
rollback;
