begin;
select plan(9);
select ok('schema api: latchkey_server may usage' in (select private.rights_in_force()), 'schemas');
select ok('"user".account (email): latchkey_admin may update' in (select private.rights_in_force()), 'columns');
select ok('private.rights_in_force() is owned by latchkey_owner' in (select private.rights_in_force()), 'owners');
select ok('graphile_worker._private_jobs: policy "the worker runs the queue" for latchkey_worker' in (select private.rights_in_force()), 'policies');
select ok('"user".session has row-level security' in (select private.rights_in_force()), 'row-level security');
select is_empty('select l from private.rights_in_force() l group by l having count(*) > 1', 'each once');
select ok('private.account is owned by latchkey_owner' not in (select private.rights_in_force()), 'of the schema that holds the object');
create role latchkey_of_a_dba;
grant select on "user".account to public, latchkey_of_a_dba;
create table "user".of_a_dba ();
select is_empty($$select l from private.rights_in_force() l where l !~ ' (is owned by latchkey_owner|has row-level security|may .*)$| policy '$$, 'and nothing of other roles');
select is_empty($$select l from private.rights_in_force() l where l ~ 'of_a_dba|^graphile_worker\..*\('$$, 'nor of a DBA''s role or table, nor a function of the queue''s library');

select * from finish();
rollback;
