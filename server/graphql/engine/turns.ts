import { setImmediate as immediate, setTimeout as delay } from "node:timers/promises";
import { createFairQueue } from "../../queues/fair_queue.ts";
import { createUsageQueue } from "../../queues/usage_queue.ts";
import { Refusal, tooManyOfPayer } from "./refusal.ts";

/** New documents that may wait for their turn: of one payer, whose session may start 50 subscriptions together, and of a line. */
const bounds = { perPayer: 64, inAll: 2_000 };
/** The event loop's time that others keep, in multiples of what new documents take. */
const othersShare = 6;
/**
 * A page's first documents come together. A payer that took less than this lately goes on without a pause as long as the burst lasts, which is
 * for all payers together: less than a hundredth of any half minute, so that an attack shows in nobody's p99.
 */
const lightMs = 50;
const burst = { ms: 50, msPerSecond: 2 };
const longestPauseMs = 1_000;
const longestWaitMs = 5_000;

/** Lines take turns with each other, so that guests, who need no account, keep no user waiting. */
export type Line = "guests" | "users" | "admin";

/** One of something for each line. */
export const lines = <T>(make: () => T): Record<Line, T> => ({
  guests: make(),
  users: make(),
  admin: make(),
});

/**
 * Resolves when it is the payer's turn; rejects with a Refusal (limit-exceeded, passing) when too many wait or one has waited for five
 * seconds.
 * @param isNeeded asked at the turn: what needs it no more takes none
 */
export type Turn = (line: Line, payer: string, isNeeded?: () => boolean) => Promise<void>;

interface Options {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** Milliseconds of CPU that this thread took: what a payer is charged, since on a busy machine time passes without it. */
  cpu?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Lets synchronous work of many requests run one at a time, lines in turn and in a line whoever took least lately first. A pause follows
 * each that is six times as long as it took: others, whose requests need many turns of the event loop, keep most of its time however
 * many documents arrive.
 */
export function createTurns({
  now = () => performance.now(),
  cpu = threadMs,
  sleep = delay,
}: Options = {}): Turn {
  const queue = createFairQueue(1);
  const payers = lines(() => createUsageQueue({ places: 1, bounds, refusal: () => tooManyOfPayer, now }));
  let pauseEnds = 0;
  let burstLeft = burst.ms;
  let burstAt = now();

  async function takeTurn(line: Line, payer: string): Promise<void> {
    burstLeft = Math.min(burst.ms, burstLeft + ((now() - burstAt) * burst.msPerSecond) / 1_000);
    burstAt = now();
    const inBurst = burstLeft > 0 && payers[line].recent(payer) < lightMs;
    const pause = pauseEnds - now();
    if (pause > 0 && !inBurst) await sleep(pause);
    const started = { at: now(), cpu: cpu() };
    setImmediate(() => {
      const ms = cpu() - started.cpu;
      payers[line].charge(payer, ms);
      if (inBurst) burstLeft = Math.max(-burst.ms, burstLeft - ms);
      // By the clock: where cores are busy others need more of it, too.
      else pauseEnds = now() + Math.min(longestPauseMs, othersShare * (now() - started.at));
    });
  }

  return (line, payer, isNeeded = () => true) => {
    const asked = now();
    return payers[line].run(payer, () =>
      queue.run(line, async () => {
        // Until the work of the turn before is done.
        await immediate();
        if (!isNeeded()) return;
        if (now() - asked > longestWaitMs) throw waitedTooLong;
        await takeTurn(line, payer);
      }),
    );
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const waitedTooLong = new Refusal(
  "limit-exceeded",
  "Too many documents that are new to the server wait for its time. Try again in a second.",
  { passing: true },
);
