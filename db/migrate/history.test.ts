import { expect } from "vitest";
import { isolatedTest as test } from "../fixtures/database_fixtures.ts";
import { fingerprint } from "../../testing/postgres/fingerprint.ts";
import { copySql } from "../../testing/postgres/sql_copy.ts";
import { migrationNames } from "../sql_files.ts";
import { migrate } from "../migrate.ts";

test("a migration that was edited after it was applied is refused, and nothing is written", async ({
  database,
  config,
}) => {
  const before = await fingerprint(database);
  const edited = copySql();
  edited.edit("migrations/0003_accounts.sql", "create table", "create  table");
  edited.remove("functions/private/otp/make_code.sql");
  await expect(migrate(config, undefined, edited.directory)).rejects.toMatchObject({
    name: "OperatorError",
    message: "db/migrations/0003_accounts.sql was edited after it was applied: restore it and add a new migration.",
  });
  expect(await fingerprint(database)).toEqual(before);
});

test("a migration that sorts before an applied one is refused", async ({ config }) => {
  const forked = copySql();
  forked.write("migrations/0003_a_branch.sql", "create table settings.extra ();");
  await expect(migrate(config, undefined, forked.directory)).rejects.toThrow("0003_a_branch");
});

test("a new migration is applied once, and this version is then refused as the older one", async ({
  database,
  config,
}) => {
  const newer = copySql();
  newer.write("migrations/9001_extra.sql", "create table settings.extra (id integer);");
  newer.write("policies/settings/extra.sql", "alter table settings.extra enable row level security;");
  const said: string[] = [];
  await migrate(config, (line) => said.push(line), newer.directory);
  await migrate(config, (line) => said.push(line), newer.directory);
  expect(said).toEqual(["migrated: 9001_extra, functions, policies"]);

  const before = await fingerprint(database);
  await expect(migrate(config)).rejects.toMatchObject({
    name: "OperatorError",
    message: "The database is of a newer version: it has migration 9001_extra, which this version does not have.",
  });
  expect(await fingerprint(database)).toEqual(before);
});

test("a database with a migration that was never released is refused", async ({ database, config }) => {
  await database.query(
    "update migration.applied set name = '0001_draft' where id = (select min(id) from migration.applied)",
  );
  await expect(migrate(config)).rejects.toThrow(
    "The database is of a version before the first release: it has migration 0001_draft, which this version does not have.",
  );
});

test("the installed migration is the last of this version's files", async ({ database }) => {
  const [found] = await database.query<{ name: string }>("select startup.installed_migration() as name");
  expect(found?.name).toBe(migrationNames().at(-1));
});
