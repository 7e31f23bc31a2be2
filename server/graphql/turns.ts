import { setImmediate as immediate, setTimeout as delay } from "node:timers/promises";

interface Options {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Lets synchronous work of many requests run one at a time, with a pause after each that is as long as it took: others,
 * whose requests need many turns of the event loop, keep half of its time however many documents arrive at once.
 * @returns a function whose promise resolves when it is the caller's turn
 */
export function createTurns({ now = () => performance.now(), sleep = delay }: Options = {}) {
  let last = Promise.resolve();
  let pauseEnds = 0;
  return (): Promise<void> =>
    (last = last.then(async () => {
      // Until the work of the turn before is done.
      await immediate();
      const pause = pauseEnds - now();
      if (pause > 0) await sleep(pause);
      const started = now();
      setImmediate(() => (pauseEnds = 2 * now() - started));
    }));
}
