import type { TestDatabase } from "./test_database.ts";

/** The value in settings.configuration; undefined: no row. */
export async function storedSetting(database: Pick<TestDatabase, "query">, key: string): Promise<unknown> {
  const [row] = await database.query<{ value: unknown }>(
    "select value from settings.configuration where key = $1",
    [key],
  );
  return row?.value;
}
