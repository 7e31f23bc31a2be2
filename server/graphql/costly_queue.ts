import { createFairQueue, type FairQueue } from "../../common/fair_queue.ts";
import { createPayerQueue } from "./payer_queue.ts";

interface Options {
  /** How many requests run at once. */
  places: number;
  /** How many requests of one payer run or wait. */
  perPayer: number;
}

/** Paces costly requests: payers take turns for the places, and of each payer one request runs at a time. */
export function createCostlyQueue({ places, perPayer }: Options): FairQueue {
  const bounded = createPayerQueue(Infinity, perPayer);
  const queue = createFairQueue(places);
  /** Of each payer, what was asked for last. */
  const latest = new Map<string, Promise<unknown>>();

  async function afterOwn<T>(payer: string, work: () => Promise<T>): Promise<T> {
    const result = (latest.get(payer) ?? Promise.resolve()).then(() => queue.run(payer, work));
    const ended = result.catch(() => undefined);
    latest.set(payer, ended);
    try {
      return await result;
    } finally {
      if (latest.get(payer) === ended) latest.delete(payer);
    }
  }

  return { run: (payer, work) => bounded.run(payer, () => afterOwn(payer, work)) };
}
