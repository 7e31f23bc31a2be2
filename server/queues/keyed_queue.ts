import { Unavailable } from "../../runtime/database_errors.ts";

export interface KeyedQueue {
  /**
   * Runs the work once no other work of the same key runs, in the order of arrival.
   * @throws Unavailable when too many wait for this key, or for all keys together
   */
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}

interface Turn {
  begin: () => void;
  refuse: (error: unknown) => void;
}

/**
 * Runs calls about one row one at a time: a row that somebody holds then takes one connection and not the whole pool. When a
 * call fails because the row, or the database, cannot be had now, the calls behind it fail too, instead of waiting as
 * long again each.
 * @param perKey how many calls may wait for one key
 * @param inAll how many calls may wait for all keys together
 */
export function createKeyedQueue({ perKey, inAll }: { perKey: number; inAll: number }): KeyedQueue {
  /** A key is here while work of it runs. */
  const waiting = new Map<string, Turn[]>();
  let waitingInAll = 0;

  const takeTurn = async (key: string): Promise<void> => {
    const turns = waiting.get(key);
    if (!turns) {
      waiting.set(key, []);
      return;
    }
    if (turns.length >= perKey || waitingInAll >= inAll)
      throw new Unavailable("too many calls wait for a row");
    waitingInAll++;
    await new Promise<void>((begin, refuse) => turns.push({ begin, refuse }));
  };

  const endTurn = (key: string): void => {
    const next = waiting.get(key)?.shift();
    if (!next) {
      waiting.delete(key);
      return;
    }
    waitingInAll--;
    next.begin();
  };

  const refuseWaiting = (key: string, error: unknown): void => {
    const turns = waiting.get(key)?.splice(0) ?? [];
    waitingInAll -= turns.length;
    for (const { refuse } of turns) refuse(error);
  };

  return {
    async run(key, work) {
      await takeTurn(key);
      try {
        return await work();
      } catch (error) {
        if (error instanceof Unavailable) refuseWaiting(key, error);
        throw error;
      } finally {
        endTurn(key);
      }
    },
  };
}
