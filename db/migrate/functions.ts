import type pg from "pg";
import { grantees, graphqlRoles, schemas } from "../names.ts";

/**
 * Drops the functions that only our roles call, before their files are applied: "create or replace" cannot rename a
 * parameter, and it would keep a grant that the file no longer has. The other functions are replaced in place, because
 * triggers, policies and defaults may depend on them.
 */
export async function dropEntryPoints(client: pg.Client): Promise<void> {
  // The files are applied in alphabetical order, so a body may name a function that does not exist yet.
  await client.query("set local check_function_bodies = off");
  // Defaults, triggers and functions of the application use those of schema latchkey, so they are replaced in place.
  await client.query(`revoke all on all functions in schema latchkey from ${grantees.join(", ")}`);
  await dropFunctions(
    client,
    // A function that a view or a policy uses is replaced in place: dropping it would drop those, and no file recreates
    // an operator's own.
    `n.nspname <> 'latchkey' and (n.nspname in ('api', 'delivery', 'startup') or exists (
       select from aclexplode(p.proacl) a where a.grantee::regrole::text = any ($2)
     )) and not exists (
       select from pg_catalog.pg_depend d
       where d.refclassid = 'pg_catalog.pg_proc'::regclass and d.refobjid = p.oid and d.classid in ('pg_catalog.pg_rewrite'::regclass, 'pg_catalog.pg_policy'::regclass)
     )`,
    [graphqlRoles],
  );
}

/** Drops the functions that no file made: a function that this transaction made or replaced carries its id. */
export async function dropStaleFunctions(client: pg.Client): Promise<void> {
  await dropFunctions(client, "p.xmin <> pg_current_xact_id()::xid");
}

async function dropFunctions(client: pg.Client, condition: string, values: unknown[] = []): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature
     from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname = any ($1) and (${condition})`,
    [schemas, ...values],
  );
  for (const { signature } of rows) await client.query(`drop function ${signature}`);
}
