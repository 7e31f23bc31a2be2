import type { Log } from "./log.ts";

const longestText = 200;

/** Logs a fault and its kind; a kind that was logged within the interval is only counted. */
export type ThrottledWarning = (kind: string, fault: string) => void;

/**
 * Logs faults that others can cause at any rate: per kind one line in each interval, which says how many lines it stands for.
 * Use a fixed set of kinds, because each one is remembered.
 * @param message what the line says
 * @param intervalMs milliseconds between two lines of one kind
 * @param now milliseconds on a clock that never goes back
 */
export function createThrottledWarning(
  log: Log,
  message: string,
  intervalMs = 10_000,
  now: () => number = () => performance.now(),
): ThrottledWarning {
  const kinds = new Map<string, { loggedAt: number; suppressed: number }>();
  return (kind, fault) => {
    const known = kinds.get(kind);
    if (known && now() - known.loggedAt < intervalMs) {
      known.suppressed++;
      return;
    }
    log.warn({ kind, err: fault.slice(0, longestText), suppressed: known?.suppressed ?? 0 }, message);
    kinds.set(kind, { loggedAt: now(), suppressed: 0 });
  };
}
