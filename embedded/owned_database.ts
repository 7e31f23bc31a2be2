import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, escapeIdentifier, escapeLiteral } from "pg";
import { scramVerifier } from "../runtime/database/scram.ts";
import type { RunningPostgres } from "./postgres.ts";
import { databaseUrl } from "./connection_urls.ts";

export interface DatabaseOptions {
  role: string;
  password: string;
  database: string;
}

/**
 * Creates or updates a database and the role that owns and migrates it. The role may create roles and is not a
 * superuser.
 * @returns the role's URL of the database
 */
export async function ensureDatabase(
  running: Pick<RunningPostgres, "port" | "superuserUrl">,
  { role, password, database }: DatabaseOptions,
): Promise<string> {
  const client = new Client({ connectionString: running.superuserUrl });
  client.on("error", () => undefined);
  await client.connect();
  try {
    // Two sessions that alter the same role at the same time fail with "tuple concurrently updated".
    await client.query("select pg_advisory_lock(hashtextextended('latchkey database', 0))");
    await ensureRole(client, role, password);
    await ensureOwnedDatabase(client, database, role);
  } finally {
    await client.end();
  }
  await restrictPublic(running, database);
  return databaseUrl(running.port, role, password, database);
}

/** Applies db/superuser.sql, which a DBA applies to other clusters. */
async function restrictPublic(
  { superuserUrl }: Pick<RunningPostgres, "superuserUrl">,
  database: string,
): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  const client = new Client({ connectionString: url.href });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtextextended('latchkey database', 0))");
    await client.query(readFileSync(join(import.meta.dirname, "..", "db", "superuser.sql"), "utf8"));
  } finally {
    await client.end();
  }
}

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const existing = await client.query("select from pg_roles where rolname = $1", [role]);
  await client.query(
    `${existing.rowCount ? "alter" : "create"} role ${escapeIdentifier(role)}
     login createrole nosuperuser nocreatedb noreplication nobypassrls
     password ${escapeLiteral(scramVerifier(password))}`,
  );
  // db/roles.sql needs this to keep the text of GraphQL's statements out of the log.
  await client.query(`grant set on parameter log_min_error_statement to ${escapeIdentifier(role)}`);
}

async function ensureOwnedDatabase(client: Client, database: string, role: string): Promise<void> {
  const [name, owner] = [escapeIdentifier(database), escapeIdentifier(role)];
  const existing = await client.query("select from pg_database where datname = $1", [database]);
  if (existing.rowCount) await client.query(`alter database ${name} owner to ${owner}`);
  else await client.query(`create database ${name} owner ${owner}`);
  await client.query(`revoke connect, temporary on database ${name} from public`);
}
