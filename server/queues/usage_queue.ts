import { createRecentUsage } from "./recent_usage.ts";

export interface UsageQueue {
  /** Runs the work when it is the payer's turn. Throws what `refusal` makes when the payer, or all together, have too much. */
  run: <T>(payer: string, work: () => Promise<T>) => Promise<T>;
  /** Counts time that a payer's work took: of two payers with work waiting the one that used less goes first. */
  charge: (payer: string, ms: number) => void;
  /** Milliseconds that a payer's work took lately. */
  recent: (payer: string) => number;
}

interface Options {
  /** Pieces of work that run at once. */
  places: number;
  /** Those of them that heavy payers may use together. */
  heavyPlaces?: number;
  /** Recent milliseconds from which a payer is heavy. */
  heavyMs?: number;
  /** Pieces of one payer that run at once. */
  placesPerPayer?: number;
  /** Pieces of one payer that run or wait, and of all payers. */
  bounds: { perPayer: number; inAll: number };
  refusal: () => Error;
  now?: () => number;
}

interface Entry {
  payer: string;
  start: () => void;
}

const halfLifeMs = 10_000;

/**
 * Queues work by how much time its payer's work took lately: whoever asks for little goes before whoever keeps the places busy, so a
 * payer's backlog delays others by the pieces that run. Payers that used alike go in the order of arrival.
 */
export function createUsageQueue({
  places,
  heavyPlaces = places,
  heavyMs = Infinity,
  placesPerPayer = places,
  bounds,
  refusal,
  now = () => performance.now(),
}: Options): UsageQueue {
  const usage = createRecentUsage(now, halfLifeMs);
  const waiting: Entry[] = [];
  /** Pieces of each payer that run, and that run or wait. */
  const running = new Map<string, number>();
  const present = new Map<string, number>();
  let runningInAll = 0;
  let heavyRunning = 0;

  const recent = (payer: string) => usage.recent(usage.of(payer));

  /** Starts the work whose turn it is. */
  function proceed(): void {
    while (runningInAll < places && waiting.length > 0) {
      let first = -1;
      let least = Infinity;
      const seen = new Set<string>();
      waiting.forEach(({ payer }, index) => {
        if (seen.has(payer) || (running.get(payer) ?? 0) >= placesPerPayer) return;
        seen.add(payer);
        const ms = recent(payer);
        if (ms >= least || (ms >= heavyMs && heavyRunning >= heavyPlaces)) return;
        [first, least] = [index, ms];
      });
      const [next] = first < 0 ? [] : waiting.splice(first, 1);
      if (!next) return;
      next.start();
    }
  }

  return {
    charge: (payer, ms) => usage.add(usage.of(payer), ms),
    recent,
    run: (payer, work) =>
      new Promise((resolve, reject) => {
        if (add(present, payer, 0) >= bounds.perPayer || waiting.length >= bounds.inAll) {
          reject(refusal());
          return;
        }
        add(present, payer, 1);
        const execute = async () => {
          const isHeavy = recent(payer) >= heavyMs;
          add(running, payer, 1);
          runningInAll++;
          if (isHeavy) heavyRunning++;
          try {
            return await work();
          } finally {
            add(running, payer, -1);
            add(present, payer, -1);
            runningInAll--;
            if (isHeavy) heavyRunning--;
            proceed();
          }
        };
        waiting.push({ payer, start: () => void execute().then(resolve, reject) });
        proceed();
      }),
  };
}

/** Adds to a count; a count of zero takes no memory. */
function add(counts: Map<string, number>, key: string, change: number): number {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
  return count;
}
