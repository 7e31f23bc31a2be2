import type pg from "pg";
import { createLog } from "../runtime/log.ts";
import { OperatorError } from "../runtime/operator_error.ts";
import { openPool } from "../runtime/database/pool.ts";

/** Runs work as runAsOwner does, on a connection of its own, as the migrator. @param program its name */
export async function withOwner<T>(
  databaseUrl: string,
  program: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  // A lost connection fails the query that was running, which reports it.
  const log = createLog(program, "silent");
  const pool = openPool({ connectionString: databaseUrl, application_name: `latchkey ${program}`, max: 1 }, log);
  try {
    return await asOwner(pool, "When it is back, run the same command again.", work);
  } finally {
    await pool.end();
  }
}

/**
 * Runs work in a transaction, as the owner. No session state, so a transaction pooler may be in between.
 * @param again what to do when the database has failed
 * @throws OperatorError
 */
export async function asOwner<T>(
  pool: pg.Pool,
  again: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const explain = (error: unknown): never => {
    const { code = "", message } = error as pg.DatabaseError;
    throw new OperatorError(whyNot(code, message || code, again), { cause: error });
  };
  const client = await pool.connect().catch(explain);
  try {
    await client.query("begin");
    await client.query("set local role latchkey_owner");
    const result = await work(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error instanceof OperatorError ? error : explain(error);
  }
}

function whyNot(code: string, message: string, again: string): string {
  if (code === "42501") return `DATABASE_URL must be the migrator's, who may become latchkey_owner (${message}).`;
  // No such schema, function, database or role: 22023 is what "set role" answers then.
  if (/^(42|3F|3D|22023)/.test(code)) return `The database is not migrated (${message}). Run: npm run db:migrate`;
  if (code.startsWith("28")) return `The database refused the login of DATABASE_URL (${message}).`;
  return `The database failed (${message}). ${again}`;
}
