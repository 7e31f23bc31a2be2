import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";
import { schemas } from "../names.ts";

/** Far below deadlock_timeout and the processes' lock_timeout: the migration gives way, and no request fails. */
const longestWaitMs = 400;
/** Who waited behind the migration goes first. */
const pauseMs = 200;
const temporaryStates = ["55P03", "40P01"];

interface Holder {
  transaction: string;
  pid: number;
  role: string | null;
  application: string | null;
}

/**
 * Locks our tables and views, and the tables of the queue, until the transaction ends; all of them before any of them
 * is changed. Otherwise a table is locked for a trigger, and more strongly for a policy later: a request that read it
 * before, and writes it in between, is a deadlock that the migration loses. Under load each one did.
 */
export async function lockTables(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ names: string | null }>(
    // Views first: who reads one waits for its tables while it is locked.
    `select string_agg(c.oid::regclass::text, ', ' order by c.relkind <> 'v', c.oid) as names
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where c.relowner = 'latchkey_owner'::regrole and not c.relispartition and (
       n.nspname = any ($1) and c.relkind in ('r', 'p', 'v') or n.nspname = 'graphile_worker' and c.relkind in ('r', 'p'))`,
    [schemas],
  );
  const names = rows[0]?.names;
  if (!names) return;
  const endsAt = performance.now() + timeoutMs;
  await client.query("savepoint unlocked");
  for (let holders: Holder[] | undefined; ;) {
    try {
      await client.query(`set local lock_timeout = ${longestWaitMs}; lock table ${names} in access exclusive mode`);
      break;
    } catch (error) {
      if (!temporaryStates.includes((error as pg.DatabaseError).code ?? "")) throw error;
      await client.query("rollback to savepoint unlocked");
      const present = await holdersOfLocks(client);
      holders = (holders ?? present).filter((one) =>
        present.some(({ transaction }) => transaction === one.transaction),
      );
      if (performance.now() >= endsAt) throw timeOutError(holders, timeoutMs, error);
      await delay(pauseMs);
    }
  }
  await client.query("set local lock_timeout to default; release savepoint unlocked");
}

async function holdersOfLocks(client: pg.ClientBase): Promise<Holder[]> {
  const { rows } = await client.query<Holder>(
    `select distinct l.virtualtransaction as transaction, l.pid, a.usename as role, a.application_name as application
     from pg_catalog.pg_locks l
     join pg_catalog.pg_class c on c.oid = l.relation and c.relowner = 'latchkey_owner'::regrole
     left join pg_catalog.pg_stat_activity a on a.pid = l.pid
     where l.granted and l.pid <> pg_backend_pid()
       and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())`,
  );
  return rows;
}

function timeOutError(holders: Holder[], timeoutMs: number, cause: unknown): OperatorError {
  const named = holders.map(
    ({ pid, role, application }) => `process ${pid} (role ${role}, application "${application}")`,
  );
  return new OperatorError(
    `The tables could not be locked within ${timeoutMs / 1000} seconds. ` +
      (named.length > 0
        ? `Locked all that time by ${named.join(", ")}. Wait until it has ended, or end it: select pg_terminate_backend(<pid>)`
        : "Run it again when the database has less to do."),
    { cause },
  );
}
