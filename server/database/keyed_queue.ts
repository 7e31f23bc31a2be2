import { UnavailableError } from "../../runtime/database/errors.ts";

export interface KeyedQueue {
  /**
   * Runs the work when no other work of the same key runs, in order of arrival.
   * @throws UnavailableError when too many calls wait for this key, or for all keys together
   */
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  readonly waitingCount: number;
}

interface Turn {
  begin: () => void;
  refuse: (error: unknown) => void;
}

/**
 * Creates a queue that runs calls about the same row one at a time, so that a locked row blocks one connection and not
 * the whole pool. When a call fails because the row or the database is unavailable, the calls behind it fail with the
 * same error: otherwise each would wait for the lock time-out again.
 * @param perKey how many calls may wait for one key
 * @param total how many calls may wait for all keys together
 */
export function createKeyedQueue({ perKey, total }: { perKey: number; total: number }): KeyedQueue {
  /** Has an entry for each key whose work runs, with the turns that wait behind it. */
  const waiting = new Map<string, Turn[]>();
  let totalWaiting = 0;

  const waitForTurn = async (key: string): Promise<void> => {
    const turns = waiting.get(key);
    if (!turns) {
      waiting.set(key, []);
      return;
    }
    if (turns.length >= perKey || totalWaiting >= total) throw new UnavailableError("too many calls wait for a row");
    totalWaiting++;
    await new Promise<void>((begin, refuse) => turns.push({ begin, refuse }));
  };

  const endTurn = (key: string): void => {
    const next = waiting.get(key)?.shift();
    if (!next) {
      waiting.delete(key);
      return;
    }
    totalWaiting--;
    next.begin();
  };

  const refuseWaiting = (key: string, error: unknown): void => {
    const turns = waiting.get(key)?.splice(0) ?? [];
    totalWaiting -= turns.length;
    for (const { refuse } of turns) refuse(error);
  };

  return {
    get waitingCount() {
      return totalWaiting;
    },
    async run(key, work) {
      await waitForTurn(key);
      try {
        return await work();
      } catch (error) {
        if (error instanceof UnavailableError) refuseWaiting(key, error);
        throw error;
      } finally {
        endTurn(key);
      }
    },
  };
}
