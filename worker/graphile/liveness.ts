import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { DatabaseClient } from "../../runtime/database/client.ts";
import type { Log } from "../../runtime/log.ts";
import { unlockDeadWorkers, unlockLostJobs } from "./job_locks.ts";
import type { Attempt } from "./received_jobs.ts";
import { connectionTimeouts } from "./reconnecting_pool.ts";

const checkIntervalMs = 3_000;
/**
 * Shorter than checkIntervalMs: after a restart of PostgreSQL every worker has its lock again before any looks for dead
 * ones.
 */
const maxRetryDelayMs = 2_000;

interface LockHolder {
  client: pg.Client;
  /** Aborted when the connection, and with it the lock, is lost. */
  lost: AbortSignal;
}

interface LivenessOptions {
  /** A direct URL: the lock belongs to the session. */
  url: string;
  poolId: string;
  /** As for unlockLostJobs. */
  lostOf: (locked: Attempt[]) => Attempt[];
  log: Log;
}

/**
 * Holds an advisory lock as proof that this worker is alive, and unlocks the jobs of workers without one, which
 * graphile-worker would leave locked for four hours. Also unlocks jobs of this worker that it never received because a
 * connection was lost: a batch of jobs is locked by a statement whose answer may get lost. Goes when graphile-worker
 * finds dead workers and lost jobs within seconds, as https://github.com/graphile/worker/issues/222 proposed. Until a lost lock is taken again, another worker may run this one's jobs a second time: the
 * tasks tolerate that.
 */
export function startLiveness({ url, poolId, lostOf, log }: LivenessOptions): {
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const sleep = (ms: number, lost = stopping.signal) =>
    delay(ms, undefined, { signal: AbortSignal.any([stopping.signal, lost]) }).catch(() => undefined);

  async function takeLock(): Promise<LockHolder> {
    const client = new DatabaseClient({
      connectionString: url,
      keepAlive: true,
      ...connectionTimeouts,
      application_name: "latchkey worker liveness",
    });
    const lost = new AbortController();
    client.on("error", () => undefined);
    client.on("end", () => lost.abort());
    try {
      await client.connect();
      await client.query("select pg_advisory_lock(hashtextextended('latchkey worker ' || $1, 0))", [poolId]);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    return { client, lost: lost.signal };
  }

  /** Checks for dead workers and lost jobs until the connection is lost or this worker stops. */
  async function unlockJobs({ client, lost }: LockHolder): Promise<void> {
    try {
      for (;;) {
        // Sleeps first: if all workers lost their connections, the others need this time to take their locks again.
        await sleep(checkIntervalMs, lost);
        if (isStopping() || lost.aborted) return;
        const deadWorkers = await unlockDeadWorkers(client);
        if (deadWorkers > 0) log.warn({ unlocked: deadWorkers }, "unlocked the jobs of dead workers");
        // A failure must not end the connection: without its lock, other workers would treat this one as dead.
        const lostJobs = await unlockLostJobs(client, poolId, lostOf).catch((error: unknown) => {
          log.warn({ err: (error as Error).message }, "cannot look for lost jobs; retrying");
          return 0;
        });
        if (lostJobs > 0) log.warn({ unlocked: lostJobs }, "unlocked jobs of this worker that it never received");
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    for (let retryDelayMs = 100; !isStopping(); retryDelayMs = Math.min(2 * retryDelayMs, maxRetryDelayMs)) {
      try {
        const holder = await takeLock();
        retryDelayMs = 100;
        await unlockJobs(holder);
      } catch (error) {
        log.warn({ err: (error as Error).message }, "cannot check for dead workers and lost jobs; retrying");
      }
      await sleep(retryDelayMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
