import pg from "pg";
import { Parser, type Result } from "tap-parser";
import { findSql, readSql } from "../../db/sql_files.ts";

/** The pgTAP files, as paths below db/. */
export const pgtapFiles = findSql("tests/**/*.sql").filter((path) => !path.startsWith("tests/helpers/"));

export interface PgtapResult {
  failures: string[];
  /** An error in the middle leaves fewer tests than planned. */
  planned: number;
  count: number;
}

export interface PgtapOptions {
  /** Milliseconds; 0, the default, for no limit. */
  statementTimeout?: number;
}

/** Installs pgTAP and the helpers of our files. */
export async function installPgtap(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("create schema tap; create extension pgtap schema tap");
    // Lets the files be read in any order: a function may call one that is created later.
    await client.query("set check_function_bodies to off");
    for (const path of ["tests/helpers/test_schema.sql", ...findSql("tests/helpers/*.sql")])
      await client.query(readSql(path));
  } finally {
    await client.end();
  }
}

/** Runs a file of ours. */
export const runPgtap = (url: string, path: string, options?: PgtapOptions): Promise<PgtapResult> =>
  runPgtapSql(url, readSql(path), options);

/** Runs SQL as one query, in a connection of its own: a SQL error rejects. */
export async function runPgtapSql(
  url: string,
  sql: string,
  { statementTimeout = 0 }: PgtapOptions = {},
): Promise<PgtapResult> {
  const client = new pg.Client({ connectionString: url, statement_timeout: statementTimeout });
  await client.connect();
  try {
    return await runIn(client, sql);
  } finally {
    await client.end();
  }
}

/** Runs a file of ours in a connection of a pool, and leaves nothing in its session for the next file. */
export async function runPgtapPooled(pool: pg.Pool, path: string): Promise<PgtapResult> {
  const client = await pool.connect();
  try {
    const result = await runIn(client, readSql(path));
    // Also refuses a file that left its transaction open.
    await client.query("discard all");
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function runIn(client: pg.ClientBase, sql: string): Promise<PgtapResult> {
  await client.query("set search_path = tap, test, public");
  const results = (await client.query(sql)) as unknown as pg.QueryResult<Record<string, unknown>>[];
  return parse(results.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row).map(String))));
}

function parse(lines: string[]): PgtapResult {
  const failures: string[] = [];
  const parser = new Parser();
  parser.on("assert", (assertion: Result) => {
    if (!assertion.ok) failures.push(`${assertion.id} ${assertion.name}`);
  });
  parser.end(lines.filter((line) => line !== "").join("\n") + "\n");
  const results = parser.results;
  return { failures, planned: results?.plan.end ?? 0, count: results?.count ?? 0 };
}
