import type { TestDatabase } from "./test_database.ts";

const catalogs = [
  "pg_namespace",
  "pg_class",
  "pg_attribute",
  "pg_type",
  "pg_proc",
  "pg_trigger",
  "pg_constraint",
  "pg_policy",
  "pg_description",
  "pg_default_acl",
  "pg_extension",
];

/**
 * Lists every object of a database and every row of its tables with the transaction that last wrote it. Two
 * fingerprints are equal only if nothing was written between them: an update that changes no value makes them differ
 * too.
 */
export async function fingerprint({ query }: TestDatabase): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' order by 1`,
  );
  const names = [...catalogs, ...tables.map(({ name }) => name)];
  const parts = names.map(
    (name) => `select '${name.replaceAll("'", "''")} ' || ctid || ' by ' || xmin as row from ${name}`,
  );
  const rows = await query<{ row: string }>(`${parts.join(" union all ")} order by 1`);
  return rows.map(({ row }) => row);
}
