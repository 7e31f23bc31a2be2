-- The catalog's objects that we made: the tests of structure/ apply their rules to all of them, also to those added
-- later.

create or replace view test.our_schema as
select n.* from pg_namespace n
where n.nspname in ('user', 'platform', 'settings', 'api', 'delivery', 'private', 'migration', 'fraud', 'startup', 'latchkey');

create or replace view test.our_function as
select n.nspname as schema, p.proname as name, p.oid::regprocedure::text as signature, p.*
from pg_proc p join test.our_schema n on n.oid = p.pronamespace
-- Functions of an extension follow the rules of its authors.
where not exists (select from pg_depend d where d.deptype = 'e' and d.classid = 'pg_proc'::regclass and d.objid = p.oid);

create or replace view test.our_relation as
select n.nspname as schema, c.oid::regclass::text as name, c.*
from pg_class c join test.our_schema n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S');

create or replace view test.our_role as
select r.* from pg_roles r
where r.rolname in (
  'latchkey_owner', 'latchkey_server', 'latchkey_graphql', 'latchkey_worker', 'latchkey_guest', 'latchkey_user', 'latchkey_admin',
  'latchkey_application', 'latchkey_hook'
);
