-- The surface as a whole, read from the catalogue: what is added next year is held to the same rules.
begin;
select plan(60);

create temp view our_schema as
  select n.* from pg_namespace n where n.nspname in ('user', 'platform', 'settings', 'api', 'delivery', 'private', 'migration');
-- What an extension brings along is its own.
create temp view ours as
  select d.classid, d.objid from pg_depend d where d.deptype = 'e';
create temp view our_function as
  select n.nspname as schema, p.proname as name, p.oid::regprocedure::text as signature, p.* from pg_proc p join our_schema n on n.oid = p.pronamespace
  where not exists (select from ours e where e.classid = 'pg_proc'::regclass and e.objid = p.oid);
create temp view our_relation as
  select n.nspname as schema, c.oid::regclass::text as name, c.* from pg_class c join our_schema n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S');
create temp view our_role as select r.* from pg_roles r where r.rolname in ('latchkey_owner', 'latchkey_server', 'latchkey_graphql',
  'latchkey_worker', 'latchkey_guest', 'latchkey_user', 'latchkey_admin');

-- Schemas
select set_eq($$select nspname::text from pg_namespace n where nspname !~ '^(pg_|information_schema$)' and nspname not in ('public', 'tap', 'test')$$,
  array['api', 'crypto', 'delivery', 'graphile_worker', 'migration', 'platform', 'private', 'settings', 'user'],
  'the database has exactly these schemas');
select set_eq($$select n.nspname || ': ' || r.rolname from pg_namespace n, our_role r
    where n.nspname in ('api', 'crypto', 'delivery', 'graphile_worker', 'migration', 'platform', 'private', 'settings', 'user')
      and r.rolname <> 'latchkey_owner' and has_schema_privilege(r.oid, n.oid, 'usage')$$, array[
  'api: latchkey_server', 'delivery: latchkey_worker', 'graphile_worker: latchkey_worker',
  'user: latchkey_guest', 'user: latchkey_user', 'user: latchkey_admin',
  'platform: latchkey_guest', 'platform: latchkey_user', 'platform: latchkey_admin', 'settings: latchkey_admin'
], 'each role has USAGE on exactly these schemas');
select is_empty($$select n.nspname, r.rolname from pg_namespace n, our_role r
    where n.nspname !~ '^pg_' and r.rolname <> 'latchkey_owner' and has_schema_privilege(r.oid, n.oid, 'create')$$,
  'only the owner has CREATE on a schema, including public');
select is_empty($$select n.nspname from pg_namespace n, aclexplode(n.nspacl) a where a.grantee = 0 and n.nspname in (select nspname from our_schema
    union all values ('crypto'), ('graphile_worker'))$$, 'no schema of ours is granted to PUBLIC');

-- Roles
select is((select count(*)::integer from our_role), 7, 'there are exactly seven roles');
select is_empty('select rolname from our_role where rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication',
  'no role is a superuser, creates databases or roles, bypasses row-level security or replicates');
select set_eq('select rolname::text from our_role where rolcanlogin', array['latchkey_server', 'latchkey_graphql', 'latchkey_worker'],
  'only the roles of the three processes can log in');
select is_empty('select rolname from our_role where rolcanlogin and rolinherit', 'a role that can log in inherits no rights');
select set_eq($$select m.rolname || ' may become ' || g.rolname from pg_auth_members a join our_role m on m.oid = a.member join pg_roles g on g.oid = a.roleid$$,
  array['latchkey_graphql may become latchkey_guest', 'latchkey_graphql may become latchkey_user', 'latchkey_graphql may become latchkey_admin'],
  'latchkey_graphql can become guest, user and admin, and no other role has memberships');
select is_empty($$select m.rolname from pg_auth_members a join our_role m on m.oid = a.member where a.admin_option$$,
  'no membership of a role has the admin option');
select is_empty($$select g.rolname from our_role g where g.rolname in ('latchkey_guest', 'latchkey_user', 'latchkey_admin')
    and pg_has_role('latchkey_graphql', g.oid, 'usage')$$, 'latchkey_graphql has none of these roles'' rights before SET ROLE');
select is_empty($$select r.rolname, l.wanted from our_role r, lateral (values ('statement_timeout=10s'),
      (case r.rolname when 'latchkey_server' then 'lock_timeout=2s' else 'lock_timeout=5s' end), ('idle_in_transaction_session_timeout=10s'), ('jit=off'),
      ('max_parallel_workers_per_gather=0')) l (wanted)
    where r.rolcanlogin and not coalesce(r.rolconfig, '{}') @> array[l.wanted]$$,
  'each login role has time-outs for statements, locks and idle transactions, and runs no parallel query');
select is_empty($$select r.rolname from our_role r where r.rolname <> 'latchkey_owner' and has_database_privilege(r.oid, current_database(), 'create')$$,
  'only the owner can create schemas');

-- Ownership
select is_empty($$select nspname from our_schema where nspowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every schema of ours');
select is_empty($$select name from our_relation where relowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every table of ours');
select is_empty($$select signature from our_function where proowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every function of ours');
select is_empty($$select t.oid::regtype from pg_type t join our_schema n on n.oid = t.typnamespace where t.typowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every type of ours');
select is_empty($$select c.oid::regclass from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every table of the queue, which the owner''s functions write');
select is_empty($$select p.oid::regprocedure from pg_proc p where p.pronamespace = 'graphile_worker'::regnamespace and p.proowner <> 'latchkey_owner'::regrole$$,
  'the owner owns every function of the queue');
select is_empty($$select r.rolname, d.classid::regclass from pg_shdepend d join our_role r on r.oid = d.refobjid
    where d.deptype = 'o' and d.refclassid = 'pg_authid'::regclass and r.rolname <> 'latchkey_owner'
      and d.dbid in (0, (select oid from pg_database where datname = current_database()))
      and d.objid not in (select c.oid from pg_class c where c.relpersistence = 't')$$, 'no other role of ours owns anything');

-- Tables
select is_empty($$select name from our_relation where relkind in ('r', 'p') and not relrowsecurity$$,
  'every table has row-level security');
select is_empty($$select name from our_relation where relforcerowsecurity$$,
  'no table forces row-level security, because the owner''s functions must read every row');
select is_empty($$select name from our_relation where relkind not in ('r', 'p', 'S') and not (relkind = 'v' and coalesce(reloptions, '{}') && array['security_invoker=true', 'security_invoker=on'])$$,
  'every view has security_invoker, so that none bypasses row-level security');
select is_empty($$select name from our_relation where schema <> 'migration' and relkind in ('r', 'p', 'v') and obj_description(oid, 'pg_class') is null$$,
  'every table and view has a comment');
select is_empty($$select r.name, a.attname from our_relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    where r.schema <> 'migration' and r.relkind in ('r', 'p', 'v') and col_description(r.oid, a.attnum) is null$$,
  'every column has a comment');
select is_empty($$select c.conrelid::regclass, c.conname from pg_constraint c join our_schema n on n.oid = c.connamespace
    where c.contype = 'f' and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])$$,
  'every foreign key has an index, because a delete would scan the table without it');
select is_empty($$select p.schemaname, p.tablename, p.policyname from pg_policies p join our_schema n on n.nspname = p.schemaname
    where not p.roles <@ array['latchkey_guest', 'latchkey_user', 'latchkey_admin']::name[]$$,
  'policies apply to GraphQL''s roles only, never to PUBLIC');
select is_empty($$select c.oid::regclass from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
    and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'the worker runs the queue' and p.polcmd = '*' and p.polpermissive
      and p.polroles = array['latchkey_worker'::regrole::oid] and pg_get_expr(p.polqual, p.polrelid) = 'true' and pg_get_expr(p.polwithcheck, p.polrelid) = 'true')$$,
  'every table of the queue with row-level security has the worker''s policy: without it the worker sees no job');
select isnt_empty($$select from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity$$,
  'the queue has tables with row-level security');

-- Who may touch tables. Read from what was granted, so that a kind of privilege not known yet is seen too.
create temp view granted as
  select c.oid, n.nspname as schema, c.oid::regclass::text as name, a.grantee, a.privilege_type as privilege, null::name as attname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a where a.grantee <> c.relowner
  union all
  select c.oid, n.nspname, c.oid::regclass::text, a.grantee, a.privilege_type, t.attname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a where a.grantee <> c.relowner;
create temp view our_grant as
  select g.grantee, g.name || ': ' || lower(g.privilege) || coalesce(' (' || string_agg(g.attname, ', ' order by g.attname) || ')', '') as right_given
  from granted g where g.schema !~ '^(pg_|information_schema$)' and g.schema not in ('tap', 'test')
  group by g.grantee, g.name, g.privilege;
create function pg_temp.rights_of(role text) returns setof text language sql
as $$ select g.right_given from our_grant g where g.grantee = case role when 'public' then 0 else role::regrole::oid end $$;

select is_empty($$select pg_temp.rights_of('public')$$, 'PUBLIC has no right to any table');
select is_empty($$select grantee::regrole from our_grant where grantee <> 0 and grantee not in (select oid from our_role)$$,
  'only the roles that this test names have rights to tables');
select is_empty($$select pg_temp.rights_of('latchkey_server')$$, 'latchkey_server has no right to any table');
select is_empty($$select pg_temp.rights_of('latchkey_graphql')$$, 'latchkey_graphql has no right to any table');
select is_empty($$select r from pg_temp.rights_of('latchkey_worker') r where r not like 'graphile_worker.%'$$,
  'latchkey_worker has rights only to tables of the queue');
select set_eq($$select pg_temp.rights_of('latchkey_guest')$$, array[
  '"user".account: select (created_at, email, id, phone, phone_verified_at, updated_at)',
  '"user".session: select (access_token_expires_at, created_at, id, refresh_token_expires_at, revoked_at, role, user_id, user_type)',
  'platform.otp_transaction: select (attempts, created_at, expires_at, id, identifier, identifier_type, purpose, verified_at)'
], 'latchkey_guest has exactly these rights to tables');
select set_eq($$select pg_temp.rights_of('latchkey_user')$$, array[
  '"user".account: select (created_at, email, id, phone, phone_verified_at, updated_at)',
  '"user".session: select (access_token_expires_at, created_at, id, refresh_token_expires_at, revoked_at, role, user_id, user_type)',
  'platform.otp_transaction: select (attempts, created_at, expires_at, id, identifier, identifier_type, purpose, verified_at)'
], 'latchkey_user has exactly these rights to tables');
select set_eq($$select pg_temp.rights_of('latchkey_admin')$$, array[
  '"user".account: select (created_at, email, id, phone, phone_verified_at, updated_at)', '"user".account: update (email)', '"user".account: delete',
  '"user".session: select (access_token_expires_at, created_at, id, refresh_token_expires_at, revoked_at, role, user_id, user_type)',
  '"user".session: insert (user_id)', '"user".session: update (revoked_at)', '"user".session: delete',
  'platform.otp_transaction: select (attempts, created_at, expires_at, id, identifier, identifier_type, purpose, verified_at)',
  'platform.otp_transaction: delete',
  'platform.rate_limit: select', 'platform.rate_limit: delete',
  'settings.configuration: select', 'settings.configuration: insert (key, value)', 'settings.configuration: update (value)', 'settings.configuration: delete'
], 'latchkey_admin has exactly these rights to tables, none of them to hashes or token ids');

-- Functions
select is_empty($$select signature from our_function where prosecdef and proconfig is distinct from array['search_path=pg_catalog, pg_temp']$$,
  'every security definer function sets its search path, with pg_temp last');
select is_empty($$select signature from our_function where not prosecdef and proconfig is distinct from array['search_path=pg_catalog, pg_temp']$$,
  'every other function sets its search path, with pg_temp last');
select is_empty($$select signature from our_function where schema in ('api', 'delivery') and not prosecdef$$,
  'every entry point is a security definer function');
select is_empty($$select signature from our_function where schema = 'private' and prosecdef$$,
  'no function of schema private is a security definer function');
select is_empty($$select signature from our_function where obj_description(oid, 'pg_proc') is null$$,
  'every function has a comment');
select is_empty($$select schema, name from our_function group by schema, name having count(*) > 1$$,
  'no schema has two functions of one name');
select is_empty($$select p.oid::regprocedure from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where a.grantee = 0 and (p.oid in (select oid from our_function) or p.pronamespace = 'graphile_worker'::regnamespace)$$,
  'PUBLIC can execute no function of ours or of the queue');
select is_empty($$select p.oid::regprocedure, a.grantee::regrole from pg_proc p, aclexplode(p.proacl) a
    where p.pronamespace = 'crypto'::regnamespace and a.grantee <> 0 and a.grantee <> p.proowner$$,
  'no role has a right to a function of pgcrypto by name');

select is_empty($$select f.signature, a.grantee::regrole from our_function f, aclexplode(f.proacl) a where a.grantee not in (select oid from our_role)$$,
  'only the roles that this test names can execute functions of ours');
create function pg_temp.executed_by(role text) returns setof text language sql
as $$ select f.schema || '.' || f.name from our_function f where has_function_privilege(role, f.oid, 'execute') $$;
select set_eq($$select pg_temp.executed_by('latchkey_server')$$, array[
  'api.authorize', 'api.check_health', 'api.check_pepper', 'api.check_readiness', 'api.create_guest_session', 'api.installed_migration', 'api.log_in', 'api.log_out', 'api.missing_rights', 'api.refresh_session',
  'api.register', 'api.request_password_reset', 'api.reset_password', 'api.send_otp', 'api.settle_otp_send', 'api.verify_registration'
], 'latchkey_server can execute exactly these functions');
select set_eq($$select pg_temp.executed_by('latchkey_worker')$$, array[
  'delivery.check_pepper', 'delivery.clean_up', 'delivery.heartbeat', 'delivery.installed_migration', 'delivery.issue_otp_code', 'delivery.missing_rights', 'delivery.provider_in_use', 'delivery.record_delivery', 'delivery.unlock_dead_workers'
], 'latchkey_worker can execute exactly these functions');
select set_eq($$select pg_temp.executed_by('latchkey_user')$$, array['user.revoke_other_sessions', 'user.revoke_session'],
  'latchkey_user can execute exactly these functions');
select is_empty($$select role, pg_temp.executed_by(role) from (values ('latchkey_graphql'), ('latchkey_guest'), ('latchkey_admin')) r (role)$$,
  'latchkey_graphql, latchkey_guest and latchkey_admin can execute no function of ours');
select is_empty($$select p.oid::regprocedure from pg_proc p where p.pronamespace = 'graphile_worker'::regnamespace
    and not has_function_privilege('latchkey_worker', p.oid, 'execute')$$,
  'latchkey_worker can execute every function of the queue');
select is_empty($$select p.oid::regprocedure, r.rolname from pg_proc p, our_role r where p.pronamespace = 'graphile_worker'::regnamespace
    and r.rolname not in ('latchkey_owner', 'latchkey_worker') and has_function_privilege(r.oid, p.oid, 'execute')$$,
  'no other role of ours can execute a function of the queue');
select is_empty($$select d.oid from pg_default_acl d, aclexplode(d.defaclacl) a
    where a.grantee = 0 and d.defaclobjtype = 'f' and d.defaclrole = 'latchkey_owner'::regrole$$,
  'no default privilege grants new functions of the owner to PUBLIC');
select isnt_empty($$select from pg_default_acl d where d.defaclobjtype = 'f' and d.defaclnamespace = 0 and d.defaclrole = 'latchkey_owner'::regrole$$,
  'the owner has default privileges for functions, which replace PostgreSQL''s grant to PUBLIC');

-- Answers
select is_empty($$select t.typname from pg_type t join pg_class c on c.oid = t.typrelid and c.relkind = 'c' where t.typnamespace = 'api'::regnamespace
    and t.typname <> 'error' and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attnum = 1 and a.attname = 'error' and a.atttypid = 'api.error'::regtype
    )$$, 'the first column of every answer type is its error');
select is_empty($$select signature from our_function where name <> 'error' and (prosrc ~* 'error\.(code|details)\s*:?=[^=]' or prosrc ~* '::\s*api\.error\y')$$,
  'only private.error makes an error: one whose fields are all null would count as a refusal');
select set_eq($$select schema || '.' || name from our_function f where schema = 'api' and (proretset or not exists (
    select from pg_type t join pg_class c on c.oid = t.typrelid and c.relkind = 'c' where t.oid = f.prorettype and t.typnamespace = 'api'::regnamespace))$$,
  array['api.check_pepper', 'api.installed_migration', 'api.missing_rights'],
  'every function of a route returns one row of an answer type');

-- Settings
select is_empty($$select d.key, private.setting_fault(d.key, d.default_value) from private.setting_definition d
    where d.default_value is not null and private.setting_fault(d.key, d.default_value) is not null$$,
  'every default value of a setting is valid');
select results_eq($$select key collate "C" from private.setting_definition where default_value is null$$, array['OTP_PROVIDER' collate "C"],
  'every setting except OTP_PROVIDER has a default value');
select is_empty($$select d.key from private.setting_definition d where d.default_value is not null
    and not exists (select from settings.configuration c where c.key = d.key)$$,
  'settings.configuration has a row for every default value');

select * from finish();
rollback;
