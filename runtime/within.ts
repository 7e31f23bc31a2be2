import { setTimeout as delay } from "node:timers/promises";

/**
 * Resolves with the promise's result, or with undefined when it rejects or the time-out passes. The work behind the
 * promise is not cancelled.
 * @param ms time-out in milliseconds
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const settled = new AbortController();
  const timeout = delay(ms, undefined, { signal: settled.signal }).catch(() => undefined);
  const result = await Promise.race([promise.catch(() => undefined), timeout]);
  settled.abort();
  return result;
}
