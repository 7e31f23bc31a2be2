import { createStore, del, get, set, type UseStore } from "idb-keyval";

/** The id of the tokens that a tab recorded last, kept where every tab sees it at once. */
export interface LastWrite {
  /** Null: the tokens were removed. Undefined: nothing is recorded, or IndexedDB is missing or has failed. */
  read: () => Promise<string | null | undefined>;
  record: (id: string | null) => Promise<void>;
  clear: () => Promise<void>;
}

/** Half of the longest wait for IndexedDB. */
const halfDeadlineMs = 500;

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
 * Transactions of IndexedDB have one order for all tabs. Writes to localStorage reach other tabs at any later time, and
 * no lock waits for them.
 * @param name that of the shared storage
 */
export function createLastWrite(name: string): LastWrite {
  let isWorking = typeof indexedDB !== "undefined";

  /**
   * After one failure IndexedDB is no longer used: each request could run into the deadline while it holds the lock of
   * all tabs.
   */
  async function withDeadline<T>(request: () => Promise<T>): Promise<T | undefined> {
    if (!isWorking) return undefined;
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const end = new Promise<undefined>((_resolve, reject: () => void) => {
      // In two parts: a page that was busy itself for the first one has the second one to take the answer.
      timeout = setTimeout(() => {
        timeout = setTimeout(reject, halfDeadlineMs);
      }, halfDeadlineMs);
    });
    try {
      return await Promise.race([request(), end]);
    } catch {
      isWorking = false;
      return undefined;
    } finally {
      clearTimeout(timeout);
    }
  }

  return {
    read: () => withDeadline(() => get<string | null>(name, store)),
    // Where nothing can be written, a deletion may still work: an old id would make all tabs wait.
    record: (id) => withDeadline(() => set(name, id, store).catch(() => del(name, store))),
    clear: () => withDeadline(() => del(name, store)),
  };
}
