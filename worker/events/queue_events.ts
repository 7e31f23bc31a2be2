import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../runtime/log.ts";
import { createThrottledWarning } from "../../runtime/throttled_warning.ts";
import type { Delivery } from "../delivery.ts";

const intervalMs = 1_000;
/** Counting what waits takes a tenth of a second where much does. */
const watchEvery = 60;

/**
 * Looks once a second whether events wait, and queues the jobs that send them. The transactions that write events do not:
 * each would notify the workers, and PostgreSQL lets only one transaction at a time commit that notifies.
 */
export function startQueueingEvents(options: {
  delivery: Pick<Delivery, "queueEvents" | "watchEventBacklogs">;
  log: Log;
}): { stop: () => Promise<void> } {
  const { delivery, log } = options;
  const warn = createThrottledWarning(log, "events cannot be queued");
  const stopping = new AbortController();

  async function watch(): Promise<void> {
    for (const backlog of await delivery.watchEventBacklogs()) {
      const fields = { subscriptionId: backlog.subscription_id, since: backlog.waiting_since };
      if (backlog.is_full) log.warn(fields, "too many events wait for a subscription: new ones are not queued");
      else log.warn(fields, "events have waited for a subscription for ten minutes");
    }
  }

  async function run(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      try {
        await delivery.queueEvents();
        if (turn % watchEvery === 0) await watch();
      } catch (error) {
        warn("events", (error as Error).message);
      }
      await delay(intervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
