create or replace function private.rights_in_force()
returns setof text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with our_schema as (
    select n.* from pg_namespace n
    where n.nspname in ('api', 'delivery', 'fraud', 'graphile_worker', 'migration', 'platform', 'private', 'settings', 'user')
  ),
  our_role as (
    select r.oid from pg_roles r
    where r.rolname in ('latchkey_owner', 'latchkey_server', 'latchkey_graphql', 'latchkey_worker', 'latchkey_guest', 'latchkey_user', 'latchkey_admin')
  ),
  object (name, owner, rights) as (
    select format('schema %I', n.nspname), n.nspowner, n.nspacl from our_schema n
    union all
    select format('%I.%I', n.nspname, c.relname), c.relowner, c.relacl
    from our_schema n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'S')
    union all
    -- The queue's functions come and go with its library.
    select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), p.proowner, p.proacl
    from our_schema n join pg_proc p on p.pronamespace = n.oid
    where n.nspname <> 'graphile_worker'
  ),
  granted (name, owner, rights) as (
    select o.name, o.owner, o.rights from object o
    union all
    select format('%I.%I (%I)', n.nspname, c.relname, a.attname), c.relowner, a.attacl
    from our_schema n join pg_class c on c.relnamespace = n.oid join pg_attribute a on a.attrelid = c.oid and a.attacl is not null
  )
  select format('%s is owned by latchkey_owner', o.name) from object o where o.owner = 'latchkey_owner'::regrole
  union all
  select format('%s: %s may %s', g.name, r.grantee::regrole, lower(r.privilege_type))
  from granted g, aclexplode(g.rights) r
  where r.grantee <> g.owner and r.grantee in (select o.oid from our_role o)
  union all
  select format('%I.%I has row-level security', n.nspname, c.relname)
  from our_schema n join pg_class c on c.relnamespace = n.oid and c.relrowsecurity
  union all
  select format('%I.%I: policy "%s" for %s', n.nspname, c.relname, p.polname, array_to_string(p.polroles::regrole[], ', '))
  from our_schema n join pg_class c on c.relnamespace = n.oid join pg_policy p on p.polrelid = c.oid
$$;

comment on function private.rights_in_force() is
$$What latchkey_owner owns in our schemas, the grants to our roles there, the tables with row-level security and the policies: one line
each. Without the conditions of policies, because each version of PostgreSQL prints them differently.$$;
