begin;
select plan(9);
select ok('schema api: latchkey_server may usage' in (select private.rights_in_force()), 'a right to a schema is listed');
select ok('"user".account (email): latchkey_admin may update' in (select private.rights_in_force()),
  'a right to a column is listed');
select ok('private.rights_in_force() is owned by latchkey_owner' in (select private.rights_in_force()),
  'the owner of a function is listed');
select ok('graphile_worker._private_jobs: policy "the worker runs the queue" for latchkey_worker' in (select private.rights_in_force()),
  'a policy of the queue is listed');
select ok('"user".session has row-level security' in (select private.rights_in_force()),
  'row-level security of a table is listed');
select is_empty('select l from private.rights_in_force() l group by l having count(*) > 1', 'every line is listed once');
select ok('private.account is owned by latchkey_owner' not in (select private.rights_in_force()),
  'an object is listed only under its own schema');
create role latchkey_role_of_a_dba;
grant select on "user".account to public, latchkey_role_of_a_dba;
create table "user".table_of_a_dba ();
select is_empty($$select l from private.rights_in_force() l
    where l !~ ' (is owned by latchkey_owner|has row-level security|may .*)$| policy '$$,
  'every line is an owner, row-level security, a right or a policy');
select is_empty($$select l from private.rights_in_force() l where l ~ 'of_a_dba|^graphile_worker\..*\('$$,
  'rights of a DBA''s roles, tables of a DBA and functions of the queue are not listed');

select * from finish();
rollback;
