import { onTestFinished, test as baseTest } from "vitest";
import { migratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { migrate } from "../../db/migrate.ts";
import { createTestDatabase } from "../postgres/test_database.ts";

async function createDatabase(migrated: boolean) {
  const database = await createTestDatabase({ migrated });
  onTestFinished(() => database.drop());
  return database;
}

/** Tests of stored settings: each has its own migrated database and, if it uses `empty`, an empty one. */
export const test = baseTest
  .extend("database", () => createDatabase(true))
  .extend("empty", () => createDatabase(false))
  /** Migrates, and returns the lines that the migration printed. */
  .extend("migrateWith", ({ database }) => async (env: Environment) => {
    const said: string[] = [];
    await migrate(migratorConfig({ ...database.env, ...env }), (line) => said.push(line));
    return said;
  })
  .extend("stored", ({ database }) => async (key: string): Promise<unknown> => {
    const rows = await database.query<{ value: unknown }>("select value from settings.configuration where key = $1", [
      key,
    ]);
    return rows[0]?.value;
  })
  /** Changes a setting as an operator does. */
  .extend(
    "change",
    ({ database }) =>
      (key: string, value: unknown) =>
        database.query("update settings.configuration set value = $2 where key = $1", [key, JSON.stringify(value)]),
  );
