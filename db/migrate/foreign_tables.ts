import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";
import { findSql } from "../sql_files.ts";

/**
 * Refuses tables and views that somebody added to our schemas: GraphQL serves these schemas, and the next version may
 * have a table of that name. Each of ours has a policy file.
 * @throws OperatorError that names them
 */
export async function refuseForeignTables(client: pg.Client, directory: string): Promise<void> {
  const ours = findSql("policies/*/*.sql", directory).map((path) =>
    path
      .split("/")
      .slice(1)
      .join(".")
      .replace(/\.sql$/, ""),
  );
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('user', 'platform', 'settings') and c.relkind in ('r', 'p', 'f', 'm', 'v') and not c.relispartition
       and n.nspname || '.' || c.relname <> all ($1)
     order by 1`,
    [ours],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name);
  throw new OperatorError(
    `Latchkey's schemas hold tables that it did not create: ${names.slice(0, 10).join(", ")}${names.length > 10 ? ` and ${names.length - 10} more` : ""}. ` +
      "Move each to a schema of your own, by alter table … set schema …, and name that schema in GRAPHQL_SCHEMAS, so that GraphQL serves it.",
  );
}
