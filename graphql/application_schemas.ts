import type pg from "pg";
import { graphqlRoles, schemas as ourSchemas } from "../db/names.ts";
import { OperatorError } from "../runtime/operator_error.ts";
import { ownSchemas } from "./hasura/schemas.ts";
import { derivedNames } from "./hasura/derived_names.ts";

interface Options {
  query: pg.Pool["query"];
  config: { GRAPHQL_SCHEMAS: string[]; GRAPHQL_ALLOW_WITHOUT_RLS: string[] };
}

const quoted = (names: string[]): string =>
  names.slice(0, 10).join(", ") + (names.length > 10 ? ` and ${names.length - 10} more` : "");

/**
 * Refuses schemas of GRAPHQL_SCHEMAS whose rows every caller could read, or whose names would not be unambiguous in
 * GraphQL.
 * @throws OperatorError
 */
export async function checkApplicationSchemas({ query, config }: Options): Promise<void> {
  const { GRAPHQL_SCHEMAS: schemas, GRAPHQL_ALLOW_WITHOUT_RLS: allowed } = config;
  if (schemas.length + allowed.length === 0) return;
  const isForeign = (name: string) =>
    /^(pg_.*|information_schema|latchkey|hook|migration|graphile_worker)$/.test(name) || ourSchemas.includes(name);
  const refused = schemas.filter(isForeign);
  if (refused.length > 0)
    throw new OperatorError(
      `GRAPHQL_SCHEMAS names ${quoted(refused)}: it is for schemas of your application, not for Latchkey's and PostgreSQL's own.`,
    );
  const missing = await unknownSchemas(query, schemas);
  if (missing.length > 0)
    throw new OperatorError(
      `GRAPHQL_SCHEMAS names ${quoted(missing)}, which this database does not have: create the schema, or correct the name.`,
    );
  const unknown = await unknownTables(query, schemas, allowed);
  if (unknown.length > 0)
    throw new OperatorError(
      `GRAPHQL_ALLOW_WITHOUT_RLS names ${quoted(unknown)}, which no schema of GRAPHQL_SCHEMAS has.`,
    );
  await refuseUnprotected(query, schemas, allowed);
  await refuseUnusable(query, schemas);
  await refuseAmbiguousNames(query, schemas);
}

async function unknownSchemas(query: Options["query"], schemas: string[]): Promise<string[]> {
  const { rows } = await query<{ name: string }>(
    `select s.name from unnest($1::text[]) s (name)
     where not exists (select from pg_catalog.pg_namespace n where n.nspname = s.name)`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/** Relations by schema.name, but for those of extensions, which are not served. */
const relations = `select c.oid, n.nspname, c.relname, (n.nspname || '.' || c.relname)::text collate "default" as name, c.relkind, c.relrowsecurity, c.reloptions
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'f', 'm', 'v') and not exists (
    select from pg_catalog.pg_depend e where e.classid = 'pg_catalog.pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')`;

async function unknownTables(query: Options["query"], schemas: string[], allowed: string[]): Promise<string[]> {
  const { rows } = await query<{ name: string }>(
    `with relation as (${relations}) select a.name from unnest($1::text[]) a (name)
     where not exists (select from relation r where r.name = a.name and r.nspname = any ($2))`,
    [allowed, schemas],
  );
  return rows.map(({ name }) => name);
}

/**
 * Row-level security is what decides which rows a caller sees. A foreign table and a materialized view cannot have it; a
 * view has its reader's only with security_invoker, and then what it reads must have it, wherever that is.
 */
async function refuseUnprotected(query: Options["query"], schemas: string[], allowed: string[]): Promise<void> {
  const { rows } = await query<{ name: string; kind: string; reader: string | null }>(
    `with recursive relation as (${relations}),
     read as (
       select r.oid, null::text as reader from relation r where r.nspname = any ($1)
       union
       select d.refobjid, v.name from read
         join relation v on v.oid = read.oid and v.relkind = 'v' and v.name <> all ($2)
         join pg_catalog.pg_rewrite w on w.ev_class = v.oid
         join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
           and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid <> v.oid
     )
     select r.name, r.relkind as kind, min(read.reader) as reader from read join relation r on r.oid = read.oid
     where r.nspname !~ '^(pg_|information_schema$)' and r.name <> all ($2)
       and case r.relkind
             when 'v' then not exists (select from pg_catalog.pg_options_to_table(r.reloptions) o where o.option_name = 'security_invoker' and o.option_value::boolean)
             else r.relkind in ('f', 'm') or not r.relrowsecurity
           end
     group by 1, 2 order by 1`,
    [schemas, allowed],
  );
  const [first] = rows;
  if (!first) return;
  const named = rows.map(
    ({ name, kind, reader }) => `${kindNames[kind] ?? "table"} ${name}${reader ? ` (which ${reader} reads)` : ""}`,
  );
  throw new OperatorError(
    `Without row-level security: ${quoted(named)}. Every caller of GraphQL could see all rows that its role is granted. ` +
      "Run: alter table … enable row level security, for a view: alter view … set (security_invoker = on); " +
      "or list what everybody may see in GRAPHQL_ALLOW_WITHOUT_RLS. (npm start without GRAPHQL_SCHEMAS starts the database.)",
  );
}

const kindNames: Record<string, string> = { f: "foreign table", m: "materialized view", v: "view" };

/** Without USAGE on the schema each request would fail. */
async function refuseUnusable(query: Options["query"], schemas: string[]): Promise<void> {
  const { rows } = await query<{ role: string; schema: string }>(
    `select distinct a.grantee::regrole::text as role, n.nspname as schema
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace, pg_catalog.aclexplode(c.relacl) a
     where n.nspname = any ($1) and a.grantee <> 0 and a.grantee::regrole::text = any ($2)
       and not pg_catalog.has_schema_privilege(a.grantee, n.oid, 'usage')
     order by 1, 2`,
    [schemas, graphqlRoles],
  );
  if (rows.length === 0) return;
  throw new OperatorError(
    `Tables are granted to roles that may not use their schema. Run: ${rows
      .map(({ role, schema }) => `grant usage on schema "${schema}" to ${role};`)
      .join(" ")}`,
  );
}

/** Names in GraphQL: public.user_session would be the same as "user".session. */
async function refuseAmbiguousNames(query: Options["query"], schemas: string[]): Promise<void> {
  const { rows } = await query<{ what: string; name: string; is_table: boolean }>(
    `with named as (
       select c.oid, 'pg_class' as catalog, c.relnamespace as namespace, c.relname as name, true as is_table from pg_catalog.pg_class c where c.relkind in ('r', 'p', 'f', 'm', 'v')
       union all
       select p.oid, 'pg_proc', p.pronamespace, p.proname, false from pg_catalog.pg_proc p
       where p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
         and exists (select from pg_catalog.aclexplode(p.proacl) a where a.grantee <> 0 and a.grantee::regrole::text = any ($2))
     )
     select n.nspname || '.' || m.name as what, m.is_table,
       coalesce(
         substring(pg_catalog.obj_description(m.oid, m.catalog) from '(?n)^@name[ \\t]+(\\S+)'),
         -- Our own functions have plain names.
         case when n.nspname = 'public' or n.nspname = any ($3) and not m.is_table then '' else n.nspname || '_' end || m.name
       ) as name
     from named m join pg_catalog.pg_namespace n on n.oid = m.namespace
     where n.nspname = any ($1) and not exists (select from pg_catalog.pg_depend e where e.objid = m.oid and e.deptype = 'e')
     order by n.nspname = any ($3) desc, 1`,
    [[...ownSchemas, ...schemas], graphqlRoles, ownSchemas],
  );
  const owners = new Map<string, string>();
  for (const { what, name, is_table: isTable } of rows)
    for (const derived of derivedNames(name.replace(/\W/g, "_"), isTable)) {
      const owner = owners.get(derived);
      if (owner !== undefined)
        throw new OperatorError(
          `GRAPHQL_SCHEMAS: ${what} and ${owner} would both be ${derived} in GraphQL. Rename one, or give ${what} a comment that renames it: @name other_name`,
        );
      owners.set(derived, what);
    }
}
