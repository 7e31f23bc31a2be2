begin;
select plan(5);
select ok('schema api: latchkey_server may usage' in (select private.rights_in_force()), 'schemas');
select ok('"user".account (email): latchkey_admin may update' in (select private.rights_in_force()), 'columns');
select ok('private.rights_in_force() is owned by latchkey_owner' in (select private.rights_in_force()), 'owners');
select ok('graphile_worker._private_jobs: policy "the worker runs the queue"' in (select private.rights_in_force()), 'policies');
grant select on "user".account to public;
select is_empty($$select l from private.rights_in_force() l where l !~ ' (is owned by|policy|latchkey_\w+ may) '$$, 'and nothing of other roles');

select * from finish();
rollback;
