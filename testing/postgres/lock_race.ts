import pg from "pg";
import type { TestDatabase } from "./test_database.ts";
import { eventually } from "../eventually.ts";

/**
 * Forces calls to run at the same moment: locks rows, starts the calls, waits until their connections are blocked by
 * the lock, then releases it.
 * @param lock the statement that locks the rows
 * @param waiting how many connections must be blocked before the lock is released
 * @param work starts the calls
 * @param meanwhile runs while the connections are blocked
 * @returns the result of `work`
 */
export async function raceBehindLock<T>(
  database: TestDatabase,
  lock: { text: string; values: unknown[] },
  waiting: number,
  work: () => Promise<T>,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<T> {
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query(lock.text, lock.values);
    const result = work();
    const unblocked = result.then(() => {
      throw new Error(`the calls ended although ${waiting} of them should have waited for the lock`);
    });
    await Promise.race([unblocked, blockedConnections(database, waiting)]);
    await meanwhile();
    await holder.query("commit");
    return await result;
  } finally {
    await holder.end();
  }
}

/** Waits until so many connections, or more, are blocked by a lock. */
export const blockedConnections = (database: TestDatabase, waiting: number): Promise<unknown> =>
  eventually(`${waiting} connections wait for the lock`, async () => {
    const [row] = await database.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return (row?.count ?? 0) >= waiting;
  });
