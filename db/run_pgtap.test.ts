import { describe, expect, inject, test } from "vitest";
import { pgtapFiles, runPgtap } from "../testing/postgres/pgtap_runner.ts";
import { databaseOf } from "../testing/postgres/urls.ts";
import { findSql } from "./sql_files.ts";

/** npm run pgtap -- -t log_in runs the files whose name matches. */
/** Databases that no file uses at the moment: a file locks tables until it rolls back. */
const free = inject("cluster").pgtapDatabases.map((name) => databaseOf(inject("cluster").superuserUrl, name));

describe.skipIf(free.length === 0)("pgTAP", () => {
  test.concurrent.each(pgtapFiles)("%s", async (path) => {
    const url = free.pop() ?? expect.fail("vitest runs more files at once than there are databases");
    const { failures, planned, count } = await runPgtap(url, path).finally(() => free.push(url));
    expect(failures).toEqual([]);
    expect(planned, "an error in the middle leaves fewer tests than planned").toBe(count);
    expect(count).toBeGreaterThan(0);
  });

  // db/functions/constants.sql lies in no schema's folder and has none: what uses a constant proves it.
  test("every file of functions and policies has its tests", () => {
    const present = findSql(["functions/*/**/*.sql", "policies/*/*.sql"]);
    const missing = present.filter((path) => !pgtapFiles.includes(`tests/${path}`));
    expect(missing).toEqual([]);
  });
});
