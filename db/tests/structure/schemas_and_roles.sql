begin;
select plan(20);

-- Schemas
select set_eq($$select nspname::text from pg_namespace n
    where nspname !~ '^(pg_|information_schema$)' and nspname not in ('public', 'tap', 'test')$$,
  array['api', 'crypto', 'delivery', 'fraud', 'graphile_worker', 'hook', 'latchkey', 'migration', 'platform', 'private', 'settings', 'startup', 'user'],
  'the database has exactly the listed schemas');
select set_eq($$select n.nspname || ': ' || r.rolname from pg_namespace n, our_role r
    where n.nspname in ('api', 'crypto', 'delivery', 'fraud', 'graphile_worker', 'hook', 'latchkey', 'migration', 'platform', 'private', 'settings', 'startup', 'user')
      and r.rolname <> 'latchkey_owner' and has_schema_privilege(r.oid, n.oid, 'usage')$$, array[
  'api: latchkey_server', 'api: latchkey_graphql', 'delivery: latchkey_worker', 'graphile_worker: latchkey_worker',
  'user: latchkey_guest', 'user: latchkey_user', 'user: latchkey_admin',
  'platform: latchkey_guest', 'platform: latchkey_user', 'platform: latchkey_admin', 'settings: latchkey_admin', 'fraud: latchkey_admin',
  'latchkey: latchkey_guest', 'latchkey: latchkey_user', 'latchkey: latchkey_admin', 'latchkey: latchkey_application', 'latchkey: latchkey_graphql', 'hook: latchkey_hook',
  'startup: latchkey_server', 'startup: latchkey_worker', 'startup: latchkey_graphql'
], 'each role has USAGE on exactly the listed schemas');
select is_empty($$select n.nspname, r.rolname from pg_namespace n, our_role r
    where n.nspname !~ '^pg_' and r.rolname <> 'latchkey_owner' and has_schema_privilege(r.oid, n.oid, 'create')$$,
  'only the owner has CREATE on a schema, including public');
select is_empty($$select n.nspname from pg_namespace n, aclexplode(n.nspacl) a
    where a.grantee = 0 and n.nspname in (select nspname from our_schema union all values ('crypto'), ('graphile_worker'))$$, 'no schema of ours is granted to PUBLIC');

-- Roles
select is((select count(*)::integer from our_role), 9, 'there are exactly nine roles');
select is_empty('select rolname from our_role where rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication',
  'no role is a superuser, creates databases or roles, bypasses row-level security or replicates');
select set_eq('select rolname::text from our_role where rolcanlogin', array['latchkey_server', 'latchkey_graphql', 'latchkey_worker'],
  'only the roles of the three processes can log in');
select is_empty('select rolname from our_role where rolcanlogin and rolinherit', 'a role that can log in inherits no rights');
select set_eq($$select m.rolname || ' may become ' || g.rolname from pg_auth_members a join our_role m on m.oid = a.member
    join pg_roles g on g.oid = a.roleid$$,
  array['latchkey_graphql may become latchkey_guest', 'latchkey_graphql may become latchkey_user', 'latchkey_graphql may become latchkey_admin',
    'latchkey_owner may become latchkey_hook'],
  'latchkey_graphql can become guest, user and admin, the owner latchkey_hook, and no other role has memberships');
select is_empty($$select m.rolname from pg_auth_members a join our_role m on m.oid = a.member where a.admin_option$$,
  'no membership of a role has the admin option');
select is_empty($$select g.rolname from our_role g where g.rolname in ('latchkey_guest', 'latchkey_user', 'latchkey_admin')
    and pg_has_role('latchkey_graphql', g.oid, 'usage')$$, 'latchkey_graphql has no right of guest, user or admin before SET ROLE');
select is_empty($$select r.rolname, l.wanted from our_role r, lateral (values ('statement_timeout=10s'),
      (case r.rolname when 'latchkey_server' then 'lock_timeout=2s' else 'lock_timeout=5s' end),
      ('idle_in_transaction_session_timeout=10s'), ('default_transaction_isolation=read committed'), ('jit=off'), ('max_parallel_workers_per_gather=0')) l (wanted)
    where r.rolcanlogin and not coalesce(r.rolconfig, '{}') @> array[l.wanted]$$,
  'each login role has time-outs for statements, locks and idle transactions, and runs no parallel query');
select is_empty($$select r.rolname from our_role r
    where r.rolname <> 'latchkey_owner' and has_database_privilege(r.oid, current_database(), 'create')$$,
  'only the owner can create schemas');

-- Ownership
select is_empty($$select nspname from our_schema where nspowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every schema of ours');
select is_empty($$select name from our_relation where relowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every table of ours');
select is_empty($$select signature from our_function where proowner <> 'latchkey_owner'::regrole and signature not like 'private.run_hook(%'$$,
  'the owner owns every function of ours, but the one that runs hooks');
select is_empty($$select t.oid::regtype from pg_type t join our_schema n on n.oid = t.typnamespace
    where t.typowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every type of ours');
select is_empty($$select c.oid::regclass from pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every table of the queue, which the owner''s functions write');
select is_empty($$select p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'graphile_worker'::regnamespace and p.proowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every function of the queue');
select is_empty($$select r.rolname, d.classid::regclass from pg_shdepend d join our_role r on r.oid = d.refobjid
    where d.deptype = 'o' and d.refclassid = 'pg_authid'::regclass and r.rolname <> 'latchkey_owner'
      and d.dbid in (0, (select oid from pg_database where datname = current_database()))
      and d.objid not in (select c.oid from pg_class c where c.relpersistence = 't')
      and (d.classid, d.objid) is distinct from ('pg_proc'::regclass, (select f.oid from our_function f where f.name = 'run_hook'))$$, 'no other role of ours owns anything');

select * from finish();
rollback;
