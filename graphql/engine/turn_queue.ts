import { setImmediate as immediate, setTimeout as delay } from "node:timers/promises";
import { createFairQueue } from "../fair_queue.ts";
import { createUsageQueue } from "../../server/queues/usage_queue.ts";
import { createPerClass, type CallerClass } from "./payers.ts";
import { exceededForNow, tooManyRequestsOfPayer } from "../refusal.ts";
import { threadCpuMs } from "./thread_cpu.ts";

/** How many new documents may wait. One session may start 50 subscriptions together. */
const bounds = { perPayer: 64, total: 2_000 };
/**
 * Factors of the pause after a turn, as a multiple of its duration (docs/graphql.md, "New documents"). A pause leaves the event loop
 * to other requests. It grows with the payer's recent use, so that a few payers who never stop hardly raise the others' p99 latency.
 */
const pauseFactor = { least: 6, perRecentMs: 2, most: 60 };
/** How many payers of a class may pause at the same time, and how many of them may be heavy: light ones do not wait for their pauses. */
const slots = { all: 8, heavy: 1 };
/** A payer who recently used less skips the pauses while the burst lasts, because a page sends its first documents together. */
const lightPayerMs = 50;
/**
 * All payers share one burst, and each class has its own reserve: while that lasts, pauses do not grow, so that a page with fifty new
 * documents loads. The refills are so slow that an attacker who takes all of them hardly raises the others' latency.
 */
const burst = { capacityMs: 50, msPerSecond: 2 };
const reserve = { capacityMs: 400, msPerSecond: 2 };
const maxPauseMs = 1_000;
const maxWaitMs = 5_000;

/**
 * Resolves when the payer's turn comes; the caller then works synchronously.
 * @param isNeeded called when the turn comes: if it returns false, the turn costs nothing
 * @param isNew called when the turn comes: the pauses of known documents do not grow
 * @throws Refusal (429) if too many wait, or this one waited for five seconds
 */
export type WaitForTurn = (
  callerClass: CallerClass,
  payer: string,
  isNeeded?: () => boolean,
  isNew?: () => boolean,
) => Promise<void>;

interface Options {
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** CPU time of this thread in milliseconds. Payers are charged CPU time, because a busy machine stretches the clock's. */
  cpu?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

interface Turn {
  endedAt: number;
  ms: number;
  /** The factor of its payer's pause. */
  factor: number;
}

/**
 * Queues synchronous work on new documents, which would block the event loop. One turn runs at a time, followed by a
 * pause. The classes take turns; within a class, the payer that used least CPU time lately goes first.
 */
export function createTurnQueue({
  now = () => performance.now(),
  cpu = threadCpuMs,
  sleep = delay,
}: Options = {}): WaitForTurn {
  const classQueue = createFairQueue(1);
  const payerQueues = createPerClass(() =>
    createUsageQueue({
      concurrency: slots.all,
      heavyConcurrency: slots.heavy,
      heavyMs: lightPayerMs,
      concurrencyPerPayer: 1,
      bounds,
      refusal: () => tooManyRequestsOfPayer,
      now,
    }),
  );
  /** Turns that a pause may still follow. */
  let turns: Turn[] = [];
  const bursts = createAllowance(burst, now);
  const reserves = createPerClass(() => createAllowance(reserve, now));

  /** How long a payer with this factor must still wait. After a turn of a payer who used less, it waits only as long as that one. */
  const pauseMs = (factor: number) =>
    Math.max(
      0,
      ...turns.map(
        (turn) => turn.endedAt + Math.min(maxPauseMs, Math.min(factor, turn.factor) * turn.ms) - now(),
      ),
    );

  /** Takes the payer's turn, or returns for how many milliseconds it must pause before it tries again. */
  async function takeTurn(callerClass: CallerClass, payer: string, isNew: boolean): Promise<number> {
    turns = turns.filter(({ endedAt }) => endedAt + maxPauseMs > now());
    const recentMs = payerQueues[callerClass].recent(payer);
    const usesBurst = recentMs < lightPayerMs && bursts.isLeft();
    const usesReserve = isNew && !usesBurst && reserves[callerClass].isLeft();
    const factor =
      !isNew || usesReserve
        ? pauseFactor.least
        : Math.min(Math.max(recentMs * pauseFactor.perRecentMs, pauseFactor.least), pauseFactor.most);
    const leastPauseMs = usesBurst ? 0 : pauseMs(pauseFactor.least);
    const ownPauseMs = usesBurst ? 0 : pauseMs(factor);
    if (ownPauseMs > leastPauseMs) return ownPauseMs;
    if (leastPauseMs > 0) await sleep(leastPauseMs);
    const startedAt = { clock: now(), cpu: cpu() };
    // Runs after the synchronous work of this turn.
    setImmediate(() => {
      const cpuMs = cpu() - startedAt.cpu;
      payerQueues[callerClass].charge(payer, cpuMs);
      if (usesBurst) bursts.use(cpuMs);
      if (usesReserve) reserves[callerClass].use(cpuMs);
      // By the clock, because other requests are stretched, too, when the cores are busy.
      if (!usesBurst) turns.push({ endedAt: now(), ms: now() - startedAt.clock, factor });
    });
    return 0;
  }

  return (callerClass, payer, isNeeded = () => true, isNew = () => true) => {
    const queuedAt = now();
    const tryTurn = () =>
      classQueue.run(callerClass, async () => {
        // Wait until the work of the previous turn is done.
        await immediate();
        if (!isNeeded()) return 0;
        if (now() - queuedAt > maxWaitMs) throw waitedTooLong;
        return takeTurn(callerClass, payer, isNew());
      });
    return payerQueues[callerClass].run(payer, async () => {
      // The long pauses of heavy payers run outside of the class's turn, so that nobody else waits for them.
      for (let ms = await tryTurn(); ms > 0; ms = await tryTurn()) await sleep(ms);
    });
  };
}

/** Milliseconds that are refilled slowly. The last use may take more than is left: that is refilled first. */
function createAllowance(
  { capacityMs, msPerSecond }: { capacityMs: number; msPerSecond: number },
  now: () => number,
) {
  let leftMs = capacityMs;
  let updatedAt = now();
  return {
    isLeft: () => {
      leftMs = Math.min(capacityMs, leftMs + ((now() - updatedAt) * msPerSecond) / 1_000);
      updatedAt = now();
      return leftMs > 0;
    },
    use: (ms: number) => {
      leftMs = Math.max(-capacityMs, leftMs - ms);
    },
  };
}

const waitedTooLong = exceededForNow(
  "The document is new to the server and waited too long in the queue for planning. Try again in a few seconds.",
);
