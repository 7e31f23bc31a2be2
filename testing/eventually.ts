import { setTimeout as delay } from "node:timers/promises";

/** Only a time-out for slow machines: no test measures it. */
const timeoutMs = 180_000;

/**
 * Polls until the condition holds.
 * @param description what the test waits for; the error contains it
 * @throws Error when the condition does not hold within three minutes
 */
export async function eventually(description: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  // Not the time of Date, which a test may replace.
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out after ${timeoutMs / 1000} s: ${description}`);
    await delay(20);
  }
}
