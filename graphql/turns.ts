import { UnavailableError } from "../runtime/database/errors.ts";

/** Lets a limited amount of work run at once. Keys take turns, so one key's backlog delays every other by one piece. */
export interface Turns {
  /** Resolves when it is the key's turn. @returns ends the turn @throws UnavailableError if too many wait */
  enter: (key: string) => Promise<() => void>;
  /** Runs the work in a turn. */
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  waitingOf: (key: string) => number;
}

const latelyMs = 1_000;

interface Waiter {
  start: () => void;
  refuse: (error: Error) => void;
}

/**
 * @param atOnce how many turns there are at once
 * @param perKey how many of them one key may have
 * @param mostWaiting how many pieces may wait: beyond them, the key with the most loses its newest
 */
export function createTurns(atOnce: number, perKey = atOnce, mostWaiting = Infinity): Turns {
  /** Keys in their order, each with its waiting work. */
  const waiting = new Map<string, Waiter[]>();
  let waitingCount = 0;
  const used = new Map<string, number>();
  /** When the keys of the last second had their last turn, in this order. */
  const lately = new Map<string, number>();
  let free = atOnce;

  const usedBy = (key: string) => used.get(key) ?? 0;
  const take = (key: string) => {
    free--;
    used.set(key, usedBy(key) + 1);
    lately.delete(key);
    lately.set(key, performance.now());
  };

  /** Who is next: those that had no turn lately come first, so that a flood delays only itself. */
  function nextKey(): string | undefined {
    const now = performance.now();
    for (const [key, at] of lately) {
      if (now - at < latelyMs) break;
      lately.delete(key);
    }
    let other: string | undefined;
    for (const key of waiting.keys()) {
      if (usedBy(key) >= perKey) continue;
      if (!lately.has(key)) return key;
      other ??= key;
    }
    return other;
  }

  function startNext(): void {
    while (free > 0) {
      const key = nextKey();
      if (key === undefined) return;
      const [next, ...others] = waiting.get(key) ?? [];
      // Its next work goes behind that of the others.
      waiting.delete(key);
      if (others.length > 0) waiting.set(key, others);
      waitingCount--;
      take(key);
      next?.start();
    }
  }

  function refuseOne(newcomer: string): void {
    let [most, crowd] = [newcomer, waiting.get(newcomer) ?? []];
    for (const [key, waiters] of waiting) if (waiters.length > crowd.length) [most, crowd] = [key, waiters];
    waitingCount--;
    crowd.pop()?.refuse(new UnavailableError("too many requests wait for their turn"));
    if (crowd.length === 0) waiting.delete(most);
  }

  function leave(key: string): void {
    free++;
    if (usedBy(key) > 1) used.set(key, usedBy(key) - 1);
    else used.delete(key);
    startNext();
  }

  async function enter(key: string): Promise<() => void> {
    if (free > 0 && usedBy(key) < perKey) take(key);
    else
      await new Promise<void>((start, refuse) => {
        waiting.set(key, [...(waiting.get(key) ?? []), { start, refuse }]);
        if (++waitingCount > mostWaiting) refuseOne(key);
      });
    return () => leave(key);
  }

  return {
    enter,
    async run(key, work) {
      const end = await enter(key);
      try {
        return await work();
      } finally {
        end();
      }
    },
    waitingOf: (key) => waiting.get(key)?.length ?? 0,
  };
}
