import type { Log } from "./log.ts";

const maxErrorLength = 200;

/** Logs an error of a kind. If that kind was logged within the interval, the error is only counted. */
export type ThrottledWarning = (kind: string, error: string) => void;

/**
 * Creates a warning for errors that clients or outages can cause at any rate. It writes one line per kind and interval;
 * the line's field `suppressed` is the number of lines left out before it. Use a fixed set of kinds: each stays in
 * memory.
 * @param message the message of every line
 * @param intervalMs milliseconds between two lines of one kind
 * @param now returns monotonic time in milliseconds
 */
export function createThrottledWarning(
  log: Log,
  message: string,
  intervalMs = 10_000,
  now: () => number = () => performance.now(),
): ThrottledWarning {
  const kinds = new Map<string, { loggedAt: number; suppressed: number }>();
  return (kind, error) => {
    const known = kinds.get(kind);
    if (known && now() - known.loggedAt < intervalMs) {
      known.suppressed++;
      return;
    }
    log.warn({ kind, err: error.slice(0, maxErrorLength), suppressed: known?.suppressed ?? 0 }, message);
    kinds.set(kind, { loggedAt: now(), suppressed: 0 });
  };
}
