import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Log } from "../../runtime/log.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { createThrottledWarning } from "../../runtime/throttled_warning.ts";
import { explainFailure } from "./connection_failure.ts";

type Query = pg.Pool["query"];

const intervalMs = 10_000;

const restored =
  "The database was restored from a backup: old messages would be sent, and used codes would work again, until this is settled. " +
  "Run: npm run db:migrate (docs/backup.md)";

/** Refuses a database that was restored and that no migration has settled since (platform.after_restore). */
export async function refuseRestored({ query }: { query: Query }): Promise<void> {
  const { rows } = await query<{ restored: boolean }>("select startup.restored() as restored").catch((error: unknown) =>
    explainFailure(error),
  );
  if (rows[0]?.restored) throw new OperatorError(restored);
}

/**
 * Shows every ten seconds that this process uses the database. It remembers the latest mark, which proves whether a
 * database that was away has lost data: a promoted standby is settled by that, and a restore under a running process is
 * stored, reported here and by /ready, and ends the sending of messages.
 * @throws OperatorError if the database is a restored one
 */
export async function startMarking(options: {
  query: Query;
  log: Log;
  everyMs?: number;
}): Promise<{ stop: () => void }> {
  const { query, log, everyMs = intervalMs } = options;
  const warn = createThrottledWarning(log, "the database cannot be marked as in use");
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let seen: string | undefined;
  let isReported = false;

  async function mark(): Promise<boolean> {
    const { rows } = await query<{ mark: string | null }>("select startup.mark_database($1)::text as mark", [
      seen ?? null,
    ]);
    // What proved a restore is forgotten: the database has stored that, and once it is settled, its clock may be behind.
    seen = rows[0]?.mark ?? undefined;
    return seen !== undefined;
  }

  async function run(): Promise<void> {
    for (;;) {
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isStopping()) return;
      try {
        const isUsable = await mark();
        if (!isUsable && !isReported) log.error(restored);
        isReported = !isUsable;
      } catch (error) {
        // The pool may close while a mark is under way.
        if (!isStopping()) warn("mark", (error as Error).message);
      }
    }
  }

  if (!(await mark())) throw new OperatorError(restored);
  void run();
  return { stop: () => stopping.abort() };
}
