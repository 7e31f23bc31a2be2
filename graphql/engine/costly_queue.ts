import { createFairQueue } from "../fair_queue.ts";
import { createUsageQueue } from "../../server/queues/usage_queue.ts";
import { createPerClass, type CallerClass } from "./payers.ts";
import { exceededForNow, tooManyRequestsOfPayer } from "../refusal.ts";

interface Options {
  /** How many requests run at once. */
  concurrency: number;
  /** How many requests of one payer run or wait. */
  perPayer: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

export interface CostlyQueue {
  /**
   * Runs the work when its turn comes.
   * @throws Refusal (429) if the payer has too many requests, or this one waited for five seconds
   */
  run: <T>(callerClass: CallerClass, payer: string, work: () => Promise<T>) => Promise<T>;
}

const maxQueued = 2_000;
/** Most clients have given up by then, but PostgreSQL would still do their work. */
const maxWaitMs = 5_000;

/**
 * Limits how many costly requests run at once. The classes take turns; within a class, the payer that used least time lately
 * goes first, and one request of a payer runs at a time.
 */
export function createCostlyQueue({
  concurrency,
  perPayer,
  now = () => performance.now(),
}: Options): CostlyQueue {
  const classQueue = createFairQueue(concurrency);
  const bounds = { perPayer, total: maxQueued };
  const payerQueues = createPerClass(() =>
    createUsageQueue({
      concurrency,
      concurrencyPerPayer: 1,
      bounds,
      refusal: () => tooManyRequestsOfPayer,
      now,
    }),
  );

  return {
    run(callerClass, payer, work) {
      const queuedAt = now();
      const runAndCharge = async () => {
        const startedAt = now();
        if (startedAt - queuedAt > maxWaitMs) throw waitedTooLong;
        try {
          return await work();
        } finally {
          payerQueues[callerClass].charge(payer, now() - startedAt);
        }
      };
      return payerQueues[callerClass].run(payer, () => classQueue.run(callerClass, runAndCharge));
    },
  };
}

const waitedTooLong = exceededForNow(
  "The request waited too long in the queue of costly requests and mutations. Try again in a few seconds.",
);
