import type { TestDatabase } from "./test_database.ts";

/** Returns the value in settings.configuration; undefined if there is no row. */
export async function storedSetting(database: Pick<TestDatabase, "query">, key: string): Promise<unknown> {
  const [row] = await database.query<{ value: unknown }>(
    "select value from settings.configuration where key = $1",
    [key],
  );
  return row?.value;
}
