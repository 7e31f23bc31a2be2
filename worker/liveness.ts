import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../runtime/log.ts";
import { unlockDeadWorkers } from "./delivery.ts";

const checkEveryMs = 3_000;
/** Shorter than checkEveryMs: after a restart of PostgreSQL every worker shows that it lives before any looks for dead ones. */
const longestPauseMs = 2_000;

interface Holder {
  client: pg.Client;
  lost: AbortSignal;
}

/**
 * Shows the other workers that this one lives, and frees the jobs of those that do not: the queue itself would leave a
 * job of a killed worker locked for four hours. A worker lives while it holds the advisory lock of its pool's id.
 * If that connection is lost the lock is taken again; its jobs are at worst run twice, which they are made for.
 */
export function startLiveness(url: string, poolId: string, log: Log): { stop: () => Promise<void> } {
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;
  const sleep = (ms: number, lost = stopped.signal) =>
    delay(ms, undefined, { signal: AbortSignal.any([stopped.signal, lost]) }).catch(() => undefined);

  async function takeLock(): Promise<Holder> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
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

  /** Looks for dead workers until the connection is lost or this worker stops. */
  async function hold({ client, lost }: Holder): Promise<void> {
    try {
      // Not at once: where all have lost their connections, the others take their locks again meanwhile.
      for (;;) {
        await sleep(checkEveryMs, lost);
        if (isStopped() || lost.aborted) return;
        const unlocked = await unlockDeadWorkers(client);
        if (unlocked > 0) log.warn({ unlocked }, "freed the jobs of dead workers");
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function watch(): Promise<void> {
    for (let pauseMs = 100; !isStopped(); pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const holder = await takeLock();
        pauseMs = 100;
        await hold(holder);
      } catch (error) {
        log.warn({ err: (error as Error).message }, "cannot look for dead workers now");
      }
      await sleep(pauseMs);
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopped.abort();
      await watching;
    },
  };
}
