import { setImmediate as immediate, setTimeout as delay } from "node:timers/promises";
import { createFairQueue } from "../../queues/fair_queue.ts";
import { Refusal } from "./refusal.ts";
import { createPayerQueue } from "./payer_queue.ts";

/** New documents of one payer that may wait for their turn: a session may start 50 subscriptions together. */
const perPayer = 64;
/** The event loop's time that others keep, in multiples of what new documents take. */
const othersShare = 6;
const longestWaitMs = 2_000;

/** Lines take turns with each other, so that guests, who need no account, keep no user waiting. */
export type Line = "guests" | "users" | "admin";

/** One of something for each line. */
export const lines = <T>(make: () => T): Record<Line, T> => ({
  guests: make(),
  users: make(),
  admin: make(),
});

interface Options {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Lets synchronous work of many requests run one at a time, lines in turn and payers of a line in turn, with a pause after each that is
 * six times as long as it took: others, whose requests need many turns of the event loop, keep most of its time however many
 * documents arrive at once.
 * @returns a function whose promise resolves when it is the payer's turn, and rejects with a Refusal (limit-exceeded, passing) when
 * too many wait or one has waited for two seconds
 */
export function createTurns({ now = () => performance.now(), sleep = delay }: Options = {}) {
  const queue = createFairQueue(1);
  const payers = lines(() => createPayerQueue(1, perPayer));
  let pauseEnds = 0;

  async function takeTurn(asked: number): Promise<void> {
    if (now() - asked > longestWaitMs) throw waitedTooLong;
    // Until the work of the turn before is done.
    await immediate();
    const pause = pauseEnds - now();
    if (pause > 0) await sleep(pause);
    const started = now();
    setImmediate(() => (pauseEnds = now() + othersShare * (now() - started)));
  }

  return (line: Line, payer: string): Promise<void> => {
    const asked = now();
    return payers[line].run(payer, () => queue.run(line, () => takeTurn(asked)));
  };
}

const waitedTooLong = new Refusal(
  "limit-exceeded",
  "Too many documents that are new to the server wait for its time. Try again in a second.",
  { passing: true },
);
