import { createStore, del, get, set, type UseStore } from "idb-keyval";

/** The id of the tokens that a tab recorded last, kept where every tab sees it at once. */
export interface LastWrite {
  /** Null: the tokens were removed. Undefined: nothing is recorded, or IndexedDB is missing, refused or without an answer. */
  read: () => Promise<string | null | undefined>;
  record: (id: string | null) => Promise<void>;
  clear: () => Promise<void>;
}

const timeoutMs = 1_000;

/** A connection for each call: one that stays open would block a page that deletes its databases. */
const store: UseStore = (mode, use) =>
  createStore("@latchkey/client", "last_writes")(mode, async (table) => {
    try {
      return await use(table);
    } finally {
      table.transaction.db.close();
    }
  });

/**
 * Transactions of IndexedDB have one order for all tabs. Writes to localStorage reach other tabs at any later time, and no lock
 * waits for them.
 * @param name that of the shared storage
 */
export function createLastWrite(name: string): LastWrite {
  let isAnswering = typeof indexedDB !== "undefined";

  /** What IndexedDB left without an answer once is not asked again: every request would wait under the lock of all tabs. */
  async function ask<T>(request: () => Promise<T>): Promise<T | undefined> {
    if (!isAnswering) return undefined;
    const answer = Promise.withResolvers<undefined>();
    const timeout = setTimeout(() => {
      isAnswering = false;
      answer.resolve(undefined);
    }, timeoutMs);
    try {
      return await Promise.race([request(), answer.promise]);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timeout);
    }
  }

  return {
    read: () => ask(() => get<string | null>(name, store)),
    // Where nothing can be written, a deletion may still work: an old id would make all tabs wait.
    record: (id) => ask(() => set(name, id, store).catch(() => del(name, store))),
    clear: () => ask(() => del(name, store)),
  };
}
