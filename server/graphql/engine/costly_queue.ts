import { createFairQueue } from "../../queues/fair_queue.ts";
import { Refusal } from "./refusal.ts";
import { createPayerQueue } from "./payer_queue.ts";
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

/** By then most clients have given up; what they wait for would still be done. */
const longestWaitMs = 5_000;

/** Paces costly requests: lines take turns for the places, payers of a line in turn, and of each payer one request runs at a time. */
export function createCostlyQueue({ places, perPayer, now = () => performance.now() }: Options): CostlyQueue {
  const bounded = createPayerQueue(Infinity, perPayer);
  const queue = createFairQueue(places);
  const payers = lines(() => createFairQueue(places));
  /** Of each payer, what was asked for last. */
  const latest = new Map<string, Promise<unknown>>();

  async function afterOwn<T>(payer: string, work: () => Promise<T>): Promise<T> {
    const result = (latest.get(payer) ?? Promise.resolve()).then(work);
    const ended = result.catch(() => undefined);
    latest.set(payer, ended);
    try {
      return await result;
    } finally {
      if (latest.get(payer) === ended) latest.delete(payer);
    }
  }

  return {
    run(line, payer, work) {
      const asked = now();
      const inTime = () => {
        if (now() - asked > longestWaitMs) throw waitedTooLong;
        return work();
      };
      const inPlace = () => payers[line].run(payer, () => queue.run(line, async () => inTime()));
      return bounded.run(payer, () => afterOwn(payer, inPlace));
    },
  };
}

const waitedTooLong = new Refusal(
  "limit-exceeded",
  "Too many large requests and mutations wait for the database's time. Try again in a second.",
  { passing: true },
);
