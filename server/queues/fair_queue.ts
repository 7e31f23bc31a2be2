export interface FairQueue {
  /** Runs the work once there is room for it and it is the key's turn. */
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Runs a bounded amount of work at once. Keys with work waiting take turns, so that one key's backlog delays each other key by
 * one piece of work at most.
 * @param concurrency how many pieces of work run at once
 */
export function createFairQueue(concurrency: number): FairQueue {
  /** Keys in the order of their turns, each with what it has waiting. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  function startNext(): void {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    const [key, starts] = next;
    const start = starts.shift();
    waiting.delete(key);
    if (starts.length > 0) waiting.set(key, starts);
    start?.();
  }

  const takeRoom = async (key: string): Promise<void> => {
    if (running < concurrency) {
      running++;
      return;
    }
    await new Promise<void>((start) => {
      const starts = waiting.get(key);
      if (starts) starts.push(start);
      else waiting.set(key, [start]);
    });
  };

  return {
    async run(key, work) {
      await takeRoom(key);
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}
