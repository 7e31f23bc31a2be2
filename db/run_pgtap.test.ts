import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { everythingIn } from "../testing/postgres/everything.ts";
import { pgtapFiles, runPgtapPooled } from "../testing/postgres/pgtap_runner.ts";
import { shared } from "../testing/run/shared.ts";
import { findSql } from "./sql_files.ts";

const databases = await shared("pgtapDatabases");
/** Databases that no file uses at the moment: a file locks tables until it rolls back. */
const free = databases.map(
  // A new session reads the catalogs again, which takes half of a file's time. An old one has so many cached plans that
  // invalidating them takes as long.
  (url) => new pg.Pool({ connectionString: url, max: 1, maxUses: 12 }),
);
afterAll(() => Promise.all(free.map((pool) => pool.end())));
const contents = () => Promise.all(databases.map((url) => everythingIn(url)));
const before = await contents();

/** npm run pgtap -- -t log_in runs the files whose name matches. */
describe.skipIf(databases.length === 0)("pgTAP", () => {
  test.concurrent.each(pgtapFiles)("%s", async (path) => {
    const pool = free.pop() ?? expect.fail("vitest runs more files at once than there are databases");
    const { failures, planned, count } = await runPgtapPooled(pool, path).finally(() => free.push(pool));
    expect(failures).toEqual([]);
    expect(planned, "an error in the middle leaves fewer tests than planned").toBe(count);
    expect(count).toBeGreaterThan(0);
  });

  test("the files leave every row, function, policy and right of a used database as they were", async () => {
    expect(await contents()).toEqual(before);
  });

  // db/functions/constants.sql lies in no schema's folder and has none: what uses a constant proves it.
  test("every file of functions and policies has its tests", () => {
    const present = findSql(["functions/*/**/*.sql", "policies/*/*.sql"]);
    const missing = present.filter((path) => !pgtapFiles.includes(`tests/${path}`));
    expect(missing).toEqual([]);
  });
});
