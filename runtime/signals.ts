import type { Log } from "./log.ts";

/** Time-out for the shutdown: the process then exits with code 1. Tests set a longer one (testing/service/long_shutdown.ts). */
export const shutdownTimeout = { ms: 5_000 };

/** For how long after the first signal another one counts as the same, in milliseconds. */
const repeatedSignalMs = 1_000;

/** SIGHUP means that the terminal was closed. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Shuts the process down on SIGINT, SIGTERM or SIGHUP: calls `stop` once, then exits with code 0, or 1 if `stop` fails
 * or takes longer than 5 seconds. A SIGINT or SIGTERM a second later means impatience and exits at once with code 1; an
 * earlier one is the same signal, which a process group's members get from the terminal (or systemd) and again from
 * npm.
 * @param delayMs milliseconds that `stop` waits on purpose, added to the time-out
 * @param now a monotonic clock in milliseconds
 */
export function stopOnSignals(
  log: Log,
  stop: () => Promise<unknown>,
  delayMs = 0,
  now = () => performance.now(),
): void {
  const timeoutMs = shutdownTimeout.ms + delayMs;
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === "SIGHUP") ignoreClosedTerminal();
    if (stoppingSince !== undefined) {
      // When a terminal is closed, the kernel and the shell each send SIGHUP.
      if (signal !== "SIGHUP" && now() - stoppingSince >= repeatedSignalMs) process.exit(1);
      return;
    }
    stoppingSince = now();
    log.info({ signal }, "stopping");
    setTimeout(() => {
      log.error(`the shutdown took longer than ${timeoutMs / 1000} s; exiting`);
      process.exit(1);
    }, timeoutMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "the shutdown failed");
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}

/** Writing to a closed terminal fails, and an unhandled error event would end the process before it is stopped. */
function ignoreClosedTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
