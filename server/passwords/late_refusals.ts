import type { UnavailableError } from "../../runtime/database/errors.ts";

export interface Clock {
  /** Returns monotonic time in milliseconds. */
  now: () => number;
  /** Calls the callback once after `ms` milliseconds. */
  after: (ms: number, callback: () => void) => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => void setTimeout(callback, ms).unref(),
};

const maxDelayMs = 4_000;
const maxDelayed = 1_000;

/**
 * Creates a function that rejects a call after a random delay of up to four seconds: clients that ignore Retry-After
 * and retry at once would otherwise use much CPU for refusals. While a thousand refusals are delayed, further calls are
 * rejected at once.
 */
export function createLateRefusals({
  after,
}: Clock): (reject: (error: UnavailableError) => void, error: UnavailableError) => void {
  let delayed = 0;
  return (reject, error) => {
    const refuse = () => reject(error);
    if (delayed >= maxDelayed) {
      refuse();
      return;
    }
    delayed++;
    after(Math.random() * maxDelayMs, () => {
      delayed--;
      refuse();
    });
  };
}
