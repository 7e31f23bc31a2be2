begin;
select plan(19);

select is_empty($$select name from our_relation where relkind in ('r', 'p') and not relrowsecurity$$,
  'every table has row-level security');
select is_empty($$select name from our_relation where relforcerowsecurity$$,
  'no table forces row-level security, because the owner''s functions must read every row');
select is_empty($$select name from our_relation
    where relkind not in ('r', 'p', 'S')
      and not (relkind = 'v' and coalesce(reloptions, '{}') && array['security_invoker=true', 'security_invoker=on'])$$,
  'every view has security_invoker, so that none bypasses row-level security');
select is_empty($$select name from our_relation
    where schema <> 'migration' and relkind in ('r', 'p', 'v') and obj_description(oid, 'pg_class') is null$$,
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
select is_empty($$select c.oid::regclass from pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
    and not exists (select from pg_policy p
      where p.polrelid = c.oid and p.polname = 'the worker runs the queue' and p.polcmd = '*' and p.polpermissive
      and p.polroles = array['latchkey_worker'::regrole::oid] and pg_get_expr(p.polqual, p.polrelid) = 'true'
        and pg_get_expr(p.polwithcheck, p.polrelid) = 'true')$$,
  'every table of the queue with row-level security has the worker''s policy: without it the worker sees no job');
select isnt_empty($$select from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity$$,
  'the queue has tables with row-level security');

-- Rights to tables, read from the access lists: a type of privilege that PostgreSQL adds later is found too.
create temp view granted as
  select c.oid, n.nspname as schema, c.oid::regclass::text as name, a.grantee, a.privilege_type as privilege, null::name as attname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a
  where a.grantee <> c.relowner
  union all
  select c.oid, n.nspname, c.oid::regclass::text, a.grantee, a.privilege_type, t.attname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
  where a.grantee <> c.relowner;
create temp view our_grant as
  -- Views of an extension follow the rules of its authors.
  select g.grantee, g.name || ': ' || lower(g.privilege)
    || coalesce(' (' || string_agg(g.attname, ', ' order by g.attname) || ')', '') as right_given
  from granted g where g.schema !~ '^(pg_|information_schema$)' and g.schema not in ('tap', 'test')
    and not exists (select from pg_depend d where d.deptype = 'e' and d.classid = 'pg_class'::regclass and d.objid = g.oid)
  group by g.grantee, g.name, g.privilege;
create function pg_temp.rights_of(role text) returns setof text language sql
as $$ select g.right_given from our_grant g where g.grantee = case role when 'public' then 0 else role::regrole::oid end $$;

select is_empty($$select pg_temp.rights_of('public')$$, 'PUBLIC has no right to any table');
select is_empty($$select grantee::regrole from our_grant where grantee <> 0 and grantee not in (select oid from our_role)$$,
  'no role other than ours has a right to a table');
select is_empty($$select pg_temp.rights_of('latchkey_server')$$, 'latchkey_server has no right to any table');
select is_empty($$select pg_temp.rights_of('latchkey_graphql')$$, 'latchkey_graphql has no right to any table');
select is_empty($$select pg_temp.rights_of('latchkey_application')$$, 'latchkey_application has no right to any table');
select is_empty($$select pg_temp.rights_of('latchkey_hook')$$, 'latchkey_hook has no right to any table');
select is_empty($$select r from pg_temp.rights_of('latchkey_worker') r where r not like 'graphile_worker.%'$$,
  'latchkey_worker has rights only to tables of the queue');
select set_eq($$select pg_temp.rights_of('latchkey_guest')$$, array[
  '"user".account: select (created_at, email, email_verified_at, external_id, id, phone, phone_verified_at, updated_at)',
  '"user".session: select (access_token_expires_at, created_at, id, refresh_token_expires_at, revoked_at, role, user_id, user_type)',
  'platform.otp_transaction: select (attempts, created_at, expires_at, id, identifier, identifier_type, purpose, verified_at)'
], 'latchkey_guest has exactly the listed rights to tables');
select set_eq($$select pg_temp.rights_of('latchkey_user')$$, array[
  '"user".account: select (created_at, email, email_verified_at, external_id, id, phone, phone_verified_at, updated_at)',
  '"user".session: select (access_token_expires_at, created_at, id, refresh_token_expires_at, revoked_at, role, user_id, user_type)',
  'platform.otp_transaction: select (attempts, created_at, expires_at, id, identifier, identifier_type, purpose, verified_at)',
  '"user".factor: select (confirmed_at, counter_went_back_at, created_at, id, kind, label, last_used_at, user_id)',
  'platform.event: select (actor, at, client, data, id, session_id, type, user_id)'
], 'latchkey_user has exactly the listed rights to tables');
select set_eq($$select pg_temp.rights_of('latchkey_admin')$$, array[
  '"user".account: select (created_at, deletion_due_at, disabled_at, disabled_reason, email, email_verified_at, enabled_at, external_id, factor_failures, id, phone, phone_verified_at, updated_at, was_disabled_at, was_disabled_reason)',
  '"user".account: update (email, phone)', '"user".account: delete',
  '"user".session: select (access_token_expires_at, amr, authenticated_at, client, created_at, id, label, refresh_token_expires_at, revoked_at, role, user_agent, user_id, user_type)',
  '"user".factor: select (confirmed_at, counter_went_back_at, created_at, id, is_synced, kind, label, last_used_at, user_id)',
  '"user".session: insert (user_id)', '"user".session: update (revoked_at)', '"user".session: delete',
  '"user".invitation: select', '"user".invitation: delete',
  'platform.otp_transaction: select (attempts, created_at, expires_at, id, identifier, identifier_type, purpose, verified_at)',
  'platform.otp_transaction: delete',
  'platform.event: select (actor, at, client, data, id, session_id, type, user_id)',
  'platform.delivery_attempt: select', 'platform.delivery_by_hour: select', 'platform.guest_promotion: select',
  'platform.live_counters: select', 'platform.rate_limit: select', 'platform.rate_limit: delete', 'platform.send_decision: select',
  'platform.event_backlog: select', 'platform.event_delivery: select', 'platform.event_subscription_state: select', 'settings.event_subscription: select', 'settings.event_subscription: delete',
  'settings.event_subscription: insert (enabled, id, secret_name, types, url)', 'settings.event_subscription: update (enabled, secret_name, types, url)',
  'settings.configuration: select', 'settings.configuration: insert (key, value)',
  'settings.configuration: update (value)', 'settings.configuration: delete', 'settings.otp_template: select', 'settings.setting: select'
], 'latchkey_admin has exactly the listed rights to tables, none of them to hashes or token ids');

select * from finish();
rollback;
