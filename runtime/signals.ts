import type { Log } from "./log.ts";

/** Longer than any orderly stop takes; what still hangs then is abandoned. */
const patienceMs = 5_000;

/** SIGHUP: the terminal was closed. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Stops once on SIGINT, SIGTERM or SIGHUP and ends the process; a second SIGINT or SIGTERM ends it at once.
 * @param delayMs milliseconds that the stop waits on purpose, beyond what an orderly stop may take
 */
export function stopOnSignals(log: Log, stop: () => Promise<unknown>, delayMs = 0): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === "SIGHUP") ignoreClosedTerminal();
    if (stopping) {
      // Of a closed terminal the kernel and the shell both tell.
      if (signal !== "SIGHUP") process.exit(1);
      return;
    }
    stopping = true;
    log.info({ signal }, "stopping");
    setTimeout(() => {
      log.error("stopping took too long");
      process.exit(1);
    }, patienceMs + delayMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}

/** Nothing can be written to a terminal that is closed, and that must not end the process before all is stopped. */
function ignoreClosedTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
