import { setTimeout as delay } from "node:timers/promises";

/**
 * The result of a promise, or undefined when it rejects or takes longer than that many milliseconds. What takes longer goes on;
 * its result is ignored.
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const tooLate = delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
  const result = await Promise.race([promise.catch(() => undefined), tooLate]);
  over.abort();
  return result;
}
