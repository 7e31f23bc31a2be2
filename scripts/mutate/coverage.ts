import type pg from "pg";
import { functionName, readSql } from "../../db/sql_files.ts";

/** Tells which pgTAP files a mutant needs. */
export interface Coverage {
  /** Whether the file may reach the function at `path`. */
  mayReach: (file: string, path: string) => boolean;
}

/**
 * Runs each file without a mutant and notes the functions that it calls, directly or through others, as
 * pg_stat_user_functions counts them. PostgreSQL does not count a function in SQL that it inlines: any file may reach
 * one of those.
 */
export async function readCoverage(
  client: pg.Client,
  files: readonly string[],
  run: (file: string) => Promise<void>,
): Promise<Coverage> {
  const called = new Map<string, Set<string>>();
  let before = await readCalls(client);
  for (const file of files) {
    await run(file);
    const after = await readCalls(client);
    called.set(file, new Set([...after.keys()].filter((name) => after.get(name) !== before.get(name))));
    before = after;
  }
  return {
    mayReach: (file, path) =>
      /^language sql\b/m.test(readSql(path)) || called.get(file)?.has(functionName(path)) !== false,
  };
}

/** How often each function has been called so far; needs track_functions = 'all'. */
async function readCalls(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; calls: string }>(
    "select schemaname || '.' || funcname as name, sum(calls) as calls from pg_stat_user_functions group by 1",
  );
  return new Map(rows.map(({ name, calls }) => [name, calls]));
}
