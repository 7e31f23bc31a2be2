import { createRecentUsage } from "./recent_usage.ts";

export interface UsageQueue {
  /**
   * Runs the work when it is the payer's turn. Rejects with the work's own error.
   * @throws the error that `refusal` creates when a bound is reached
   */
  run: <T>(payer: string, work: () => Promise<T>) => Promise<T>;
  /** Adds time that a payer's work took, in milliseconds. The payer with the least recent time goes first. */
  charge: (payer: string, ms: number) => void;
  /** Returns the payer's recent time in milliseconds, after decay. */
  recent: (payer: string) => number;
}

interface Options {
  /** How many tasks run at once. */
  concurrency: number;
  /** How many tasks of all heavy payers together run at once. Default: `concurrency`. */
  heavyConcurrency?: number;
  /** Recent time in milliseconds from which a payer is heavy. Default: no payer is. */
  heavyMs?: number;
  /** How many tasks of one payer run at once. Default: `concurrency`. */
  concurrencyPerPayer?: number;
  /**
   * perPayer: how many tasks of one payer may run or wait. total: how many tasks of all payers may wait; beyond it the
   * payer with the most waiting tasks loses its latest one, if the new task's payer has fewer.
   */
  bounds: { perPayer: number; total: number };
  /** Creates the error for a task beyond the bounds. */
  refusal: () => Error;
  /** Returns monotonic time in milliseconds. */
  now?: () => number;
}

interface Entry {
  payer: string;
  start: () => void;
  refuse: () => void;
}

const halfLifeMs = 10_000;

/**
 * Creates a queue that starts the task of the payer with the least recent time. A payer's backlog therefore delays
 * others only by the tasks that already run. Payers with equal time go in order of arrival.
 */
export function createUsageQueue({
  concurrency,
  heavyConcurrency = concurrency,
  heavyMs = Infinity,
  concurrencyPerPayer = concurrency,
  bounds,
  refusal,
  now = () => performance.now(),
}: Options): UsageQueue {
  const usage = createRecentUsage(now, halfLifeMs);
  const waiting: Entry[] = [];
  /** Running tasks of each payer. */
  const running = new Map<string, number>();
  /** Running and waiting tasks of each payer. */
  const queued = new Map<string, number>();
  let totalRunning = 0;
  let heavyRunning = 0;

  const recent = (payer: string) => usage.recent(usage.of(payer));

  /** Starts waiting tasks while slots are free. */
  function startWaiting(): void {
    while (totalRunning < concurrency && waiting.length > 0) {
      let nextIndex = -1;
      let leastMs = Infinity;
      const seen = new Set<string>();
      waiting.forEach(({ payer }, index) => {
        if (seen.has(payer) || (running.get(payer) ?? 0) >= concurrencyPerPayer) return;
        seen.add(payer);
        const ms = recent(payer);
        if (ms >= leastMs || (ms >= heavyMs && heavyRunning >= heavyConcurrency)) return;
        [nextIndex, leastMs] = [index, ms];
      });
      const [next] = nextIndex < 0 ? [] : waiting.splice(nextIndex, 1);
      if (!next) return;
      next.start();
    }
  }

  const waitingOf = (payer: string) => add(queued, payer, 0) - add(running, payer, 0);

  /**
   * Makes room in a full queue, or returns false. Otherwise a few payers who fill the queue would make it refuse all
   * others.
   */
  function makeRoom(payer: string): boolean {
    let [most, tasks] = [payer, waitingOf(payer) + 1];
    for (const other of queued.keys()) if (waitingOf(other) > tasks) [most, tasks] = [other, waitingOf(other)];
    if (most === payer) return false;
    const latest = waiting.findLastIndex((entry) => entry.payer === most);
    waiting.splice(latest, 1)[0]?.refuse();
    add(queued, most, -1);
    return true;
  }

  return {
    charge: (payer, ms) => usage.add(usage.of(payer), ms),
    recent,
    run: (payer, work) =>
      new Promise((resolve, reject) => {
        const isFull = () => waiting.length >= bounds.total && !makeRoom(payer);
        if (add(queued, payer, 0) >= bounds.perPayer || isFull()) {
          reject(refusal());
          return;
        }
        add(queued, payer, 1);
        const execute = async () => {
          const isHeavy = recent(payer) >= heavyMs;
          add(running, payer, 1);
          totalRunning++;
          if (isHeavy) heavyRunning++;
          try {
            return await work();
          } finally {
            add(running, payer, -1);
            add(queued, payer, -1);
            totalRunning--;
            if (isHeavy) heavyRunning--;
            startWaiting();
          }
        };
        waiting.push({
          payer,
          start: () => void execute().then(resolve, reject),
          refuse: () => reject(refusal()),
        });
        startWaiting();
      }),
  };
}

/** Adds to a count, removes it when it is zero, and returns it. */
function add(counts: Map<string, number>, key: string, change: number): number {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
  return count;
}
