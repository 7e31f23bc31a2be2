import pg from "pg";
import type { TestDatabase } from "./test_database.ts";
import { eventually } from "./eventually.ts";

/**
 * Makes a race happen instead of hoping for it: holds the rows that the statement locks until so many connections
 * wait for them, does what is to be done meanwhile, then lets all of them go at once.
 */
export async function pileUp<T>(
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
    await eventually(`${waiting} connections wait for the lock`, async () => {
      const [row] = await database.query<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return (row?.count ?? 0) >= waiting;
    });
    await meanwhile();
    await holder.query("commit");
    return await result;
  } finally {
    await holder.end();
  }
}
