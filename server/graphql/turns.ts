import { setImmediate as immediate, setTimeout as delay } from "node:timers/promises";
import { createPayerQueue } from "./payer_queue.ts";

/** New documents of one payer that may wait for their turn: a session may start 50 subscriptions together. */
const perPayer = 64;

interface Options {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/** The event loop's time that others keep, in multiples of what new documents take. */
const othersShare = 4;

/**
 * Lets synchronous work of many requests run one at a time, payers in turn, with a pause after each that is four times as long as it
 * took: others, whose requests need many turns of the event loop, keep most of its time however many documents arrive at once.
 * @returns a function whose promise resolves when it is the payer's turn, and rejects with a Refusal when too many wait
 */
export function createTurns({ now = () => performance.now(), sleep = delay }: Options = {}) {
  const queue = createPayerQueue(1, perPayer);
  let pauseEnds = 0;
  return (payer: string): Promise<void> =>
    queue.run(payer, async () => {
      // Until the work of the turn before is done.
      await immediate();
      const pause = pauseEnds - now();
      if (pause > 0) await sleep(pause);
      const started = now();
      setImmediate(() => (pauseEnds = now() + othersShare * (now() - started)));
    });
}
