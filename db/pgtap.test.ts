import pg from "pg";
import { Parser, type Result } from "tap-parser";
import { describe, expect, inject, test } from "vitest";
import { databaseOf } from "../testing/urls.ts";
import { findSql, readSql } from "./sql_files.ts";

const files = findSql("tests/**/*.sql").filter((path) => !path.startsWith("tests/helpers/"));

/** npm run pgtap -- -t log_in runs the files whose name matches. */
describe("pgTAP", () => {
  test.each(files)("%s", async (path) => {
    const { failures, planned, count } = parse(await run(readSql(path)));
    expect(failures).toEqual([]);
    expect(planned, "an error in the middle leaves fewer tests than planned").toBe(count);
    expect(count).toBeGreaterThan(0);
  });

  test("every file of functions and policies has its tests", () => {
    const present = findSql(["functions/*/*.sql", "policies/*/*.sql"]);
    const missing = present.filter((path) => !files.includes(`tests/${path}`));
    expect(missing).toEqual([]);
  });
});

/** Runs a file as one query, in a connection of its own: a SQL error is an error of the test. */
async function run(sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseOf(inject("cluster").superuserUrl, "pgtap") });
  await client.connect();
  try {
    await client.query("set search_path = tap, test, public");
    const results = (await client.query(sql)) as unknown as pg.QueryResult<Record<string, unknown>>[];
    return results.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row).map(String)));
  } finally {
    await client.end();
  }
}

function parse(lines: string[]): { failures: string[]; planned: number; count: number } {
  const failures: string[] = [];
  const parser = new Parser();
  parser.on("assert", (assertion: Result) => {
    if (!assertion.ok) failures.push(`${assertion.id} ${assertion.name}`);
  });
  parser.end(lines.filter((line) => line !== "").join("\n") + "\n");
  const results = parser.results;
  return { failures, planned: results?.plan.end ?? 0, count: results?.count ?? 0 };
}
