create or replace function private.catalog_in_force(
  out line text, out is_right boolean, out is_of_files boolean, out statement text, out fingerprint text, out undo text
)
returns setof record
language sql stable
set search_path = pg_catalog, pg_temp
-- Definitions are printed by these settings.
set timezone = 'UTC'
set datestyle = 'ISO, YMD'
set intervalstyle = 'postgres'
set bytea_output = 'hex'
set quote_all_identifiers = off
as $$
  with our_schema as (
    select n.oid, n.nspname, n.nspowner, n.nspacl, n.nspname = 'graphile_worker' as is_of_queue
    from pg_namespace n
    where n.nspname in ('api', 'delivery', 'fraud', 'graphile_worker', 'latchkey', 'migration', 'platform', 'private', 'settings', 'startup', 'user')
  ),
  our_role (oid, name) as (
    select r.oid, r.rolname from pg_roles r
    where r.rolname in (
      'latchkey_owner', 'latchkey_server', 'latchkey_graphql', 'latchkey_worker', 'latchkey_guest', 'latchkey_user', 'latchkey_admin',
      'latchkey_application', 'latchkey_hook'
    )
    union all
    select 0, 'public'
  ),
  relation as (
    select c.oid, format('%I.%I', n.nspname, c.relname) as name, c.relkind, c.relowner, c.relacl, c.relrowsecurity, c.reloptions,
           n.is_of_queue,
           -- A view over a function is in that function's file.
           c.relkind = 'v' and exists (
             select from pg_rewrite w
             join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_proc'::regclass
             join pg_proc p on p.oid = d.refobjid and p.pronamespace <> 'pg_catalog'::regnamespace
             where w.ev_class = c.oid
           ) as is_of_function
    from our_schema n join pg_class c on c.relnamespace = n.oid
    -- Partitions come and go with their months, indexes and triggers with them.
    where not c.relispartition
  ),
  function as (
    select p.oid, format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as name, p.proowner, p.proacl,
           n.is_of_queue, p.prosrc, p.prosecdef, p.proconfig, p.provolatile, p.prorettype
    from our_schema n join pg_proc p on p.pronamespace = n.oid
  ),
  object (name, kind, target, owner, rights, is_of_files, rights_are_of_files) as (
    select format('schema %I', n.nspname), 'schema', format('%I', n.nspname), n.nspowner, n.nspacl, false, false from our_schema n
    union all
    select r.name, case r.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, r.name, r.relowner, r.relacl,
           r.is_of_function, r.relkind <> 'S'
    from relation r where r.relkind in ('r', 'p', 'v', 'S')
    union all
    -- The queue's functions come and go with its library.
    select f.name, 'function', f.name, f.proowner, coalesce(f.proacl, acldefault('f', f.proowner)), true, true
    from function f where not f.is_of_queue
  ),
  granted (name, target, owner, privilege, grantee, is_of_files) as (
    select o.name, format('%s %s', case o.kind when 'view' then 'table' else o.kind end, o.target), o.owner, lower(r.privilege_type),
           r.grantee, o.rights_are_of_files
    from object o, aclexplode(o.rights) r
    union all
    select format('%s (%I)', r.name, a.attname), format('table %s', r.name), r.relowner, format('%s (%I)', lower(g.privilege_type), a.attname),
           g.grantee, true
    from relation r join pg_attribute a on a.attrelid = r.oid and a.attacl is not null, aclexplode(a.attacl) g
  ),
  policy as (
    select r.name, p.policyname, p.roles, format(
             'create policy %I on %s as %s for %s to %s%s%s', p.policyname, r.name, p.permissive, p.cmd,
             (select string_agg(case role when 'public' then role else quote_ident(role) end, ', ' order by role) from unnest(p.roles) role),
             ' using (' || p.qual || ')', ' with check (' || p.with_check || ')'
           ) as statement
    from our_schema n join pg_policies p on p.schemaname = n.nspname
    join relation r on r.name = format('%I.%I', n.nspname, p.tablename)
  ),
  found (line, is_right, is_of_files, statement, definition, undo) as (
    -- latchkey_hook owns the function that runs hooks: as anybody else's it would give hooks the rights of that role.
    select format('%s is owned by %s', o.name, r.name), true, o.is_of_files, format('alter %s %s owner to %s', o.kind, o.target, r.name), null, null
    from object o join our_role r on r.oid = o.owner and r.name in ('latchkey_owner', 'latchkey_hook')
    union all
    select format('%s: %s may %s', g.name, o.name, split_part(g.privilege, ' ', 1)), true, g.is_of_files,
           format('grant %s on %s to %s', g.privilege, g.target, o.name), null, format('revoke %s on %s from %s', g.privilege, g.target, o.name)
    from granted g join our_role o on o.oid = g.grantee
    where g.grantee <> g.owner
    union all
    select format('%s has row-level security', r.name), true, false, format('alter table %s enable row level security', r.name), null, null
    from relation r where r.relrowsecurity
    union all
    select format('%s: policy "%s" for %s', p.name, p.policyname, array_to_string(p.roles, ', ')), true, true,
           format('drop policy if exists %I on %s; %s', p.policyname, p.name, p.statement), null,
           case when p.roles && (select array_agg(o.name) from our_role o) then format('drop policy %I on %s', p.policyname, p.name) end
    from policy p
    union all
    select format('%s: column %I %s', r.name, a.attname, format_type(a.atttypid, a.atttypmod)), false, false, null, null, null
    from relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    where r.relkind in ('r', 'p', 'c') and not r.is_of_queue
    union all
    select format('%s: column %I is not null', r.name, a.attname), false, false,
           format('alter table %s alter column %I set not null', r.name, a.attname), null, null
    from relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped and a.attnotnull
    where r.relkind in ('r', 'p') and not r.is_of_queue
    union all
    select format('%s: column %I has a default', r.name, a.attname), false, false,
           format('alter table %s alter column %I set default %s', r.name, a.attname, pg_get_expr(d.adbin, d.adrelid)), null, null
    from relation r join pg_attribute a on a.attrelid = r.oid and a.attgenerated = ''
    join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
    where r.relkind = 'r' and not r.is_of_queue
    union all
    select format('%s: constraint %I', r.name, c.conname), false, false,
           format('alter table %s drop constraint if exists %I, add constraint %I %s', r.name, c.conname, c.conname, pg_get_constraintdef(c.oid)),
           null, null
    from relation r join pg_constraint c on c.conrelid = r.oid and c.contype in ('p', 'u', 'x', 'c', 'f') and c.convalidated
    where not r.is_of_queue
    union all
    select format('index %s on %s', i.name, r.name), false, false,
           -- PostgreSQL prints the index of a partitioned table without those of its partitions.
           format('drop index if exists %s; %s', i.name, regexp_replace(pg_get_indexdef(i.oid), '( ON) ONLY ', '\1 ')), null, null
    from relation r join pg_index x on x.indrelid = r.oid and x.indisvalid and x.indisready join relation i on i.oid = x.indexrelid
    where not r.is_of_queue and not exists (select from pg_constraint c where c.conindid = i.oid and c.conrelid = r.oid and c.contype in ('p', 'u', 'x'))
    union all
    select format('%s is stored with %s', r.name, o.option), false, false, format('alter table %s set (%s)', r.name, o.option), null, null
    from relation r cross join lateral unnest(r.reloptions) o (option)
    where r.relkind = 'r' and not r.is_of_queue
    union all
    select format('view %s', r.name), false, r.is_of_function,
           format('create or replace view %s%s as %s', r.name, ' with (' || array_to_string(r.reloptions, ', ') || ')', pg_get_viewdef(r.oid)),
           null, null
    from relation r where r.relkind = 'v' and not r.is_of_queue
    union all
    select format('%s: trigger %I', r.name, t.tgname), false, true,
           format('drop trigger if exists %I on %s; %s', t.tgname, r.name, pg_get_triggerdef(t.oid)), null, null
    from relation r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    where not r.is_of_queue
    union all
    select format('%s: its %s', r.name, case when t.tgisinternal then 'foreign keys are enforced' else 'triggers are enabled' end), false, false,
           format('alter table %s enable trigger %s', r.name, case when t.tgisinternal then 'all' else 'user' end), null, null
    from relation r join pg_trigger t on t.tgrelid = r.oid
    where not r.is_of_queue
    group by r.name, t.tgisinternal having bool_and(t.tgenabled = 'O')
    union all
    select format('function %s', f.name), false, true, null,
           concat_ws(' ', f.prosrc, f.prosecdef, array_to_string(f.proconfig, ' '), f.provolatile, format_type(f.prorettype, null)), null
    from function f where not f.is_of_queue
    union all
    select 'new functions are not for public', true, false,
           'alter default privileges for role latchkey_owner revoke execute on functions from public', null, null
    from pg_default_acl d
    where d.defaclrole = 'latchkey_owner'::regrole and d.defaclobjtype = 'f' and d.defaclnamespace = 0
      and not exists (select from aclexplode(d.defaclacl) a where a.grantee = 0)
    union all
    select format('extension %s', e.extname), false, false, format('create extension if not exists %I with schema %I', e.extname, n.nspname), null, null
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where n.nspname = 'crypto'
  )
  select distinct f.line, f.is_right, f.is_of_files, f.statement, md5(coalesce(f.definition, f.statement, f.line)), f.undo
  from found f
$$;

comment on function private.catalog_in_force() is
$$What the catalog has in our schemas, one line each: what latchkey_owner owns, the rights of our roles and of PUBLIC, row-level security,
policies, columns, constraints, indexes, views, triggers, functions. Of the queue only owners, rights and policies: its library makes the
rest. An invalid index, a constraint that was not validated and a disabled trigger count as missing. undo takes away what nobody but us may
give: rights and policies of our roles.$$;
