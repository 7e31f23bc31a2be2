import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../runtime/log.ts";
import { createThrottledWarning } from "../runtime/throttled_warning.ts";
import type { Delivery } from "./delivery.ts";
import type { ProviderCheck } from "./provider_check.ts";
import type { Providers } from "./sms/providers.ts";

/** api.check_readiness reports a missing worker after three of these intervals. */
const heartbeatIntervalMs = 10_000;

/**
 * Records at once and then every 10 seconds that this worker runs, whether it can send, and which providers it could
 * use. A failed heartbeat is a warning. The last heartbeat remains when the worker stops: GET /ready/delivery stays 200
 * if a worker restarts within 30 seconds.
 */
export function startHeartbeat(options: {
  worker: string;
  delivery: Pick<Delivery, "heartbeat">;
  providerCheck: Pick<ProviderCheck, "canSend">;
  providers: Providers["configured"];
  log: Log;
}): { stop: () => Promise<void> } {
  const { worker, delivery, providerCheck, providers, log } = options;
  const warn = createThrottledWarning(log, "the worker's heartbeat cannot be stored");
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await delivery.heartbeat(worker, await providerCheck.canSend(), providers);
      } catch (error) {
        warn("heartbeat", (error as Error).message);
      }
      await delay(heartbeatIntervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
