import { Unavailable } from "../../runtime/database_errors.ts";

export interface Clock {
  /** Milliseconds that never go back. */
  now: () => number;
  after: (ms: number, callback: () => void) => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, callback) => void setTimeout(callback, ms).unref(),
};

const longestMs = 4_000;
const mostHeld = 1_000;

/**
 * Rejects with Unavailable after a random time of up to four seconds, for up to a thousand calls at once: clients that
 * retry at once, without heeding Retry-After, would spend the CPU on refusals that others need. Beyond that, at once.
 */
export function createLateRefusals({ after }: Clock): (reject: (error: Unavailable) => void) => void {
  let held = 0;
  return (reject) => {
    const refuse = () => reject(new Unavailable("the queue for passwords is full"));
    if (held >= mostHeld) {
      refuse();
      return;
    }
    held++;
    after(Math.random() * longestMs, () => {
      held--;
      refuse();
    });
  };
}
