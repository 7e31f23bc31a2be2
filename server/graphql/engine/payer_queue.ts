import { createFairQueue, type FairQueue } from "../../queues/fair_queue.ts";
import { Refusal } from "./refusal.ts";

/**
 * A fair queue in which each payer may have only so much work, so that what one payer sends is held in memory and delays others
 * by a bounded amount. Beyond it the work is refused (limit-exceeded, passing).
 * @param concurrency how many pieces of work run at once
 * @param perPayer how many pieces of one payer run or wait
 */
export function createPayerQueue(concurrency: number, perPayer: number): FairQueue {
  const queue = createFairQueue(concurrency);
  const counts = new Map<string, number>();
  return {
    async run(payer, work) {
      const count = counts.get(payer) ?? 0;
      if (count >= perPayer) throw tooMany;
      counts.set(payer, count + 1);
      try {
        return await queue.run(payer, work);
      } finally {
        const left = (counts.get(payer) ?? 1) - 1;
        if (left > 0) counts.set(payer, left);
        else counts.delete(payer);
      }
    },
  };
}

const tooMany = new Refusal(
  "limit-exceeded",
  "Too many requests of this user, or of guests at this address, wait for the server's time. Try again in a second.",
  { passing: true },
);
