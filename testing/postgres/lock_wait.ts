import pg from "pg";
import { raceBehindLock } from "./lock_race.ts";
import type { TestDatabase } from "./test_database.ts";

/** Returns the answer of a call that starts before the other statement is committed, and waits for it. */
export async function answerBehind(
  database: TestDatabase,
  statement: string,
  call: string,
  values: unknown[] = [],
): Promise<unknown> {
  const [row] = await raceBehindLock(database, { text: statement, values: [] }, 1, () =>
    database.query<{ answer: unknown }>(`select ${call} as answer`, values),
  );
  return row?.answer;
}

/** Runs the call while another transaction holds rows. The call fails if it waits for one of them. */
export async function besideLock(database: TestDatabase, lock: string, call: string): Promise<void> {
  const [holder, caller] = [database.superuserUrl, database.superuserUrl].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client];
  await Promise.all([holder.connect(), caller.connect()]);
  try {
    await holder.query(`begin; ${lock}`);
    await caller.query("set lock_timeout = '5s'");
    await caller.query(call);
  } finally {
    await Promise.all([holder.end(), caller.end()]);
  }
}
