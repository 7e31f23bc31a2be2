import type { TestDatabase } from "../postgres/test_database.ts";

/**
 * Runs the body of a test about counts of this clock hour, and runs it again if the hour ended meanwhile: its
 * expectations may mix counts of two hours.
 */
export async function withinOneHour(database: Pick<TestDatabase, "query">, body: () => Promise<void>): Promise<void> {
  const currentHour = async () => {
    const [row] = await database.query<{ hour: Date }>("select date_trunc('hour', clock_timestamp()) as hour");
    return row?.hour.getTime();
  };
  const hour = await currentHour();
  try {
    await body();
    if ((await currentHour()) === hour) return;
  } catch (error) {
    if ((await currentHour()) === hour) throw error;
  }
  await body();
}
