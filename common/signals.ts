import type { Log } from "./log.ts";

/** Longer than any orderly stop takes; what still hangs then is abandoned. */
const patienceMs = 5_000;

/**
 * Stops once on SIGINT or SIGTERM and ends the process; a second signal ends it at once.
 * Result: whether it is stopping, by which an end that was asked for is told from one that was not.
 */
export function stopOnSignals(log: Log, stop: () => Promise<unknown>): () => boolean {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping");
    setTimeout(() => {
      log.error("stopping took too long");
      process.exit(1);
    }, patienceMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return () => stopping;
}
