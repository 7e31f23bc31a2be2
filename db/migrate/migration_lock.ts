import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";

/** Any constant will do: with it, one migration at a time runs in a database. */
const migrationLock = 7_302_711;
const lockNotAvailable = "55P03";

/**
 * Takes the advisory lock of migrations for the rest of the session. Any role that may connect can hold it, by accident
 * or on purpose, so the wait ends after the time-out with an error that names the holder.
 */
export async function lockMigrations(client: pg.Client, timeoutMs: number): Promise<void> {
  await client.query("select set_config('lock_timeout', $1, false)", [String(timeoutMs)]);
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== lockNotAvailable) throw error;
    throw new OperatorError(
      `The migration lock was not free within ${timeoutMs / 1000} seconds. Held by ${await holderOf(client)}. ` +
        "If that is no migration, end it: select pg_terminate_backend(<pid>)",
      { cause: error },
    );
  }
  await client.query("reset lock_timeout");
}

async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; role: string | null; application: string | null }>(
    `select l.pid, a.usename as role, a.application_name as application
     from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1 and l.objsubid = 1
       and l.database = (select oid from pg_catalog.pg_database where datname = current_database())`,
    [migrationLock],
  );
  const [holder] = rows;
  return holder
    ? `process ${holder.pid} (role ${holder.role}, application "${holder.application}")`
    : "a process that has ended since";
}
