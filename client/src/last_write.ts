import { createStore, get, set } from "idb-keyval";

/** The id of the tokens that some tab wrote last, kept where every tab sees it at once. */
export interface LastWrite {
  /** Null: they were removed. Undefined: unknown, because nothing was written yet or there is no IndexedDB. */
  read: () => Promise<string | null | undefined>;
  write: (id: string | null) => Promise<void>;
}

/** A browser may refuse IndexedDB, or leave its requests without an answer. */
const timeoutMs = 1_000;

/**
 * Transactions of IndexedDB have one order for all tabs. Writes to localStorage reach other tabs at any later time, and no lock
 * waits for them.
 * @param name that of the shared storage
 */
export function createLastWrite(name: string): LastWrite {
  const store = createStore("latchkey", "last_writes");

  async function answerOf<T>(request: () => Promise<T>): Promise<T | undefined> {
    let timeout;
    const end = new Promise<undefined>((resolve) => (timeout = setTimeout(resolve, timeoutMs)));
    try {
      return typeof indexedDB === "undefined" ? undefined : await Promise.race([request(), end]);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timeout);
    }
  }

  return {
    read: () => answerOf(() => get<string | null>(name, store)),
    write: (id) => answerOf(() => set(name, id, store)),
  };
}
