import type { TestDatabase } from "../postgres/test_database.ts";

/** Returns the value in settings.configuration; undefined if there is no row. */
export async function storedSetting(database: Pick<TestDatabase, "query">, key: string): Promise<unknown> {
  const [row] = await database.query<{ value: unknown }>("select value from settings.configuration where key = $1", [
    key,
  ]);
  return row?.value;
}

/** Removes OTP_PROVIDER, as a TRUNCATE does: a DELETE of it is refused. Returns the stored value. */
export async function removeProvider(database: Pick<TestDatabase, "query">): Promise<unknown> {
  const stored = await storedSetting(database, "OTP_PROVIDER");
  await database.query(
    `begin;
     alter table settings.configuration disable trigger check_together;
     delete from settings.configuration where key = 'OTP_PROVIDER';
     alter table settings.configuration enable trigger check_together;
     commit`,
  );
  return stored;
}
