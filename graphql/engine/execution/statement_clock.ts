export interface StatementClock {
  start: () => void;
  stop: () => void;
  isExhausted: () => boolean;
  /** The time-out for the next statement, in milliseconds: at least 1, because 0 would mean no time-out. */
  remainingMs: () => number;
}

/**
 * Measures the time that the statements of a request take together. The event loop's time between them does not count.
 * @param maxMs how long they may take, in milliseconds
 */
export function createStatementClock(maxMs: number): StatementClock {
  let usedMs = 0;
  let startedAt = 0;
  const elapsedMs = () => usedMs + performance.now() - startedAt;
  return {
    start() {
      startedAt = performance.now();
    },
    stop() {
      usedMs = elapsedMs();
    },
    isExhausted: () => usedMs > maxMs,
    remainingMs: () => Math.max(1, Math.ceil(maxMs - elapsedMs())),
  };
}
