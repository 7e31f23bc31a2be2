export interface FairQueue {
  /** Runs the work when a slot is free and it is the key's turn. Rejects with the work's own error. */
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Creates a queue that runs a limited number of tasks at once. Keys with waiting tasks take turns (round robin), so one
 * key's backlog delays every other key by at most one task.
 * @param concurrency how many tasks run at once
 */
export function createFairQueue(concurrency: number): FairQueue {
  /** Keys in the order of their turns, each with the start functions of its waiting tasks. */
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

  const waitForSlot = async (key: string): Promise<void> => {
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
      await waitForSlot(key);
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}
