import type pg from "pg";
import type { Attempt } from "./received_jobs.ts";

/**
 * Unlocks the jobs of workers that are dead.
 * @param client a connection outside the pool, so that the call fails when the connection is lost. Retried later, it could
 *   find live workers that have not yet taken their advisory locks again.
 * @returns the number of dead workers found
 */
export async function unlockDeadWorkers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ unlocked: number }>("select delivery.unlock_dead_workers() as unlocked");
  return rows[0]?.unlocked ?? 0;
}

/**
 * Unlocks the jobs that were locked for this worker but never reached it.
 * @param client as for unlockDeadWorkers
 * @param lostOf picks, of the jobs that have been locked for 20 seconds, those that the worker never received. They are read first:
 *   by then the worker has received each of them, or its statement has timed out.
 * @returns the number of jobs
 */
export async function unlockLostJobs(
  client: pg.Client,
  poolId: string,
  lostOf: (locked: Attempt[]) => Attempt[],
): Promise<number> {
  const { rows: locked } = await client.query<Attempt>("select id, attempts from delivery.jobs_locked_for($1)", [
    poolId,
  ]);
  const lost = lostOf(locked);
  if (lost.length === 0) return 0;
  const { rows } = await client.query<{ unlocked: number }>(
    "select delivery.unlock_lost_jobs($1, $2, $3) as unlocked",
    [poolId, lost.map(({ id }) => id), lost.map(({ attempts }) => attempts)],
  );
  return rows[0]?.unlocked ?? 0;
}
