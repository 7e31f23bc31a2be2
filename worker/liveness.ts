import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../common/log.ts";
import type { Delivery } from "./delivery.ts";

const checkEveryMs = 3_000;

/**
 * Shows the other workers that this one lives, and frees the jobs of those that do not: the queue itself would leave a
 * job of a killed worker locked for four hours. A worker lives while it holds the advisory lock of its pool's id.
 * If that connection is lost the lock is taken anew; its jobs are at worst run twice, which they are made for.
 */
export function holdLiveness(
  url: string,
  poolId: string,
  delivery: Delivery,
  log: Log,
): { stop: () => Promise<void> } {
  const stopped = new AbortController();
  let holder: pg.Client | undefined;

  async function takeLock(): Promise<void> {
    if (holder) return;
    const candidate = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: "latchkey worker liveness",
    });
    candidate.on("error", () => undefined);
    candidate.on("end", () => (holder = undefined));
    await candidate.connect();
    await candidate.query("select pg_advisory_lock(hashtextextended('latchkey worker ' || $1, 0))", [poolId]);
    holder = candidate;
  }

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await takeLock();
        const unlocked = await delivery.unlockDeadWorkers();
        if (unlocked > 0) log.warn({ unlocked }, "freed the jobs of dead workers");
      } catch (error) {
        log.warn({ err: (error as Error).message }, "cannot look for dead workers now");
      }
      await delay(checkEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopped.abort();
      await watching;
      await holder?.end();
    },
  };
}
