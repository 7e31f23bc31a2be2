import { setTimeout as delay } from "node:timers/promises";
import { createFairQueue, type FairQueue } from "../../common/fair_queue.ts";
import { createPayerQueue } from "./payer_queue.ts";

interface Options {
  /** How many requests run in places. */
  places: number;
  /** How many requests of one payer run or wait. */
  perPayer: number;
  /** Milliseconds for which a request keeps its place; one that takes longer goes on without. */
  longestMs: number;
  sleep?: (ms: number) => Promise<unknown>;
}

const unreferenced = (ms: number) => delay(ms, undefined, { ref: false });

/**
 * Paces costly requests: payers take turns for the places, and of each payer one request runs at a time, so that nobody, however
 * slow the requests are, keeps another waiting for longer than a place's time.
 */
export function createCostlyQueue({ places, perPayer, longestMs, sleep = unreferenced }: Options): FairQueue {
  const bounded = createPayerQueue(Infinity, perPayer);
  const queue = createFairQueue(places);
  /** Of each payer, what was asked for last. */
  const latest = new Map<string, Promise<unknown>>();

  const inPlace = <T>(payer: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve) => {
      void queue.run(payer, () => {
        const running = work();
        resolve(running);
        return Promise.race([running.catch(() => undefined), sleep(longestMs)]);
      });
    });

  async function afterOwn<T>(payer: string, work: () => Promise<T>): Promise<T> {
    const result = (latest.get(payer) ?? Promise.resolve()).then(() => inPlace(payer, work));
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
