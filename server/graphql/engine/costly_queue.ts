import { createFairQueue } from "../../queues/fair_queue.ts";
import { createUsageQueue } from "../../queues/usage_queue.ts";
import { Refusal, tooManyOfPayer } from "./refusal.ts";
import { lines, type Line } from "./turns.ts";

interface Options {
  /** How many requests run at once. */
  places: number;
  /** How many requests of one payer run or wait. */
  perPayer: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

export interface CostlyQueue {
  /** Runs the work when it is the payer's turn. Throws a Refusal (limit-exceeded, passing) if that would be too late. */
  run: <T>(line: Line, payer: string, work: () => Promise<T>) => Promise<T>;
}

const maxWaiting = 2_000;
/** By then most clients have given up; what they wait for would still be done. */
const longestWaitMs = 5_000;

/**
 * Paces costly requests: lines take turns for the places, in a line whoever kept them least lately goes first, and of each payer one
 * request runs at a time.
 */
export function createCostlyQueue({ places, perPayer, now = () => performance.now() }: Options): CostlyQueue {
  const queue = createFairQueue(places);
  const bounds = { perPayer, inAll: maxWaiting };
  const payers = lines(() =>
    createUsageQueue({ places, placesPerPayer: 1, bounds, refusal: () => tooManyOfPayer, now }),
  );

  return {
    run(line, payer, work) {
      const asked = now();
      const timed = async () => {
        const started = now();
        if (started - asked > longestWaitMs) throw waitedTooLong;
        try {
          return await work();
        } finally {
          payers[line].charge(payer, now() - started);
        }
      };
      return payers[line].run(payer, () => queue.run(line, timed));
    },
  };
}

const waitedTooLong = new Refusal(
  "limit-exceeded",
  "Too many large requests and mutations wait for the database's time. Try again in a second.",
  { passing: true },
);
