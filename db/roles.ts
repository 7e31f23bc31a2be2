import pg from "pg";
import type { MigratorConfig } from "../config/config.ts";
import { OperatorError } from "../runtime/operator_error.ts";
import { scramVerifier } from "../runtime/scram.ts";
import { readSql } from "./sql_files.ts";

/**
 * Roles are cluster-wide, so a migration of another database may be making them at this moment, or somebody drops a database
 * that has settings of them (42704, 3D000).
 */
const raced = new Set(["23505", "42710", "XX000", "42704", "3D000"]);
const permissionDenied = "42501";
const wrongPassword = "28P01";

/** Creates the missing roles. */
export async function ensureRoles(client: pg.Client, triesLeft = 10): Promise<void> {
  try {
    await client.query(readSql("roles.sql"));
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (raced.has(code ?? "") && triesLeft > 0) return ensureRoles(client, triesLeft - 1);
    if (code !== permissionDenied) throw error;
    throw new OperatorError(
      `The roles of Latchkey cannot be made: ${message}. DATABASE_URL must name the owner of the database, with CREATEROLE; ` +
        `one installation fits into a cluster, so roles that another one made there are not ours to change.`,
      { cause: error },
    );
  }
}

/** Sets the passwords of the URLs on the log-in roles where they do not work yet. Result: the roles that got one. */
export async function ensureLoginRoles(client: pg.Client, config: MigratorConfig): Promise<string[]> {
  const changed: string[] = [];
  for (const name of ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"] as const) {
    // Decoded as the processes do, which accept a password with a bare %.
    const { user: role = "", password = "" } = new pg.Client({ connectionString: config[name] });
    const expected = `latchkey_${name.split("_")[0]?.toLowerCase()}`;
    if (role !== expected) throw new OperatorError(`${name} must log in as ${expected}, not as ${role}.`);
    if (await logsIn(config[name], name)) continue;
    await refuseForeignRoles(client, name);
    await setPassword(client, role, password);
    changed.push(role);
  }
  return changed;
}

async function setPassword(client: pg.Client, role: string, password: string): Promise<void> {
  const verifier = client.escapeLiteral(scramVerifier(password));
  try {
    await client.query(`alter role ${role} password ${verifier}`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== permissionDenied) throw error;
    throw new OperatorError(
      `${role} does not log in with the password of its address, and the migrator ${client.user} may not change it. Correct the address, or ` +
        `run as superuser (needed once after an upgrade from PostgreSQL 15): grant ${role} to ${client.user} with admin option.`,
      { cause: error },
    );
  }
}

/** Roles are cluster-wide: a new password would silently lock out the processes of another database. */
async function refuseForeignRoles(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    `select distinct d.datname as database
     from pg_catalog.pg_shdepend s join pg_catalog.pg_database d on d.oid = s.dbid
     where s.refclassid = 'pg_authid'::regclass and s.refobjid = 'latchkey_owner'::regrole and d.datname <> current_database()
     order by 1`,
  );
  if (rows.length === 0) return;
  throw new OperatorError(
    `The roles of this cluster belong to the installation in database ${rows.map(({ database }) => database).join(", ")}, ` +
      `and ${name} carries another password than they have. One installation fits into a cluster: use another cluster, ` +
      "or the same passwords if both databases are one operator's, or drop the other database if it is no longer used.",
  );
}

async function logsIn(url: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (code === wrongPassword) return false;
    throw new OperatorError(`The role of ${name} cannot log in (${message}).`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
