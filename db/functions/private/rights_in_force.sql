create or replace function private.rights_in_force()
returns setof text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  with our_schema as (
    select n.* from pg_namespace n
    where n.nspname in ('api', 'delivery', 'graphile_worker', 'migration', 'platform', 'private', 'settings', 'user')
  ),
  object (name, owner, rights) as (
    select format('schema %I', n.nspname), n.nspowner, n.nspacl from our_schema n
    union all
    select format('%I.%I', n.nspname, c.relname), c.relowner, c.relacl
    from our_schema n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'S')
    union all
    select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), p.proowner, p.proacl
    from our_schema n join pg_proc p on p.pronamespace = n.oid
  ),
  granted (name, owner, rights) as (
    select o.name, o.owner, o.rights from object o
    union all
    select format('%I.%I (%I)', n.nspname, c.relname, a.attname), c.relowner, a.attacl
    from our_schema n join pg_class c on c.relnamespace = n.oid join pg_attribute a on a.attrelid = c.oid and a.attacl is not null
  )
  select format('%s is owned by %s', o.name, o.owner::regrole) from object o
  union all
  select format('%s: %s may %s', g.name, r.grantee::regrole, lower(r.privilege_type))
  from granted g, aclexplode(g.rights) r
  where r.grantee <> g.owner and r.grantee::regrole::text like 'latchkey\_%'
  union all
  select format('%I.%I: policy "%s"', n.nspname, c.relname, p.polname)
  from our_schema n join pg_class c on c.relnamespace = n.oid join pg_policy p on p.polrelid = c.oid
$$;

comment on function private.rights_in_force() is
$$Who owns our schemas, tables and functions, what our roles are granted on them, and which policies there are: a line each.$$;
revoke all on function private.rights_in_force() from public;
