import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../runtime/log.ts";
import { createThrottledWarning } from "../runtime/throttled_warning.ts";
import type { Delivery } from "./delivery.ts";
import type { ProviderCheck } from "./provider_check.ts";

/** Milliseconds between two heartbeats; api.check_readiness misses a worker after three of them. */
const heartbeatEveryMs = 10_000;

/**
 * Writes at once and then every 10 seconds that this worker runs, and whether it can send.
 * The last heartbeat stays when it stops: GET /ready does not fail while a worker restarts within 30 seconds.
 */
export function startHeartbeat(options: {
  worker: string;
  delivery: Pick<Delivery, "heartbeat">;
  providerCheck: Pick<ProviderCheck, "canSend">;
  log: Log;
}): { stop: () => Promise<void> } {
  const { worker, delivery, providerCheck, log } = options;
  const warn = createThrottledWarning(log, "the worker's heartbeat cannot be written now");
  const stopped = new AbortController();

  async function beat(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await delivery.heartbeat(worker, await providerCheck.canSend());
      } catch (error) {
        warn("heartbeat", (error as Error).message);
      }
      await delay(heartbeatEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  const beating = beat();
  return {
    async stop() {
      stopped.abort();
      await beating;
    },
  };
}
