import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { CallerClass } from "../authorization/caller.ts";
import { HttpError, persistedQueryNotFound } from "./http_errors.ts";

/** Characters that one class of callers stores, and those of a document. */
const maxStored = 1_000_000;
const maxLength = 8_192;

/** Documents by their SHA-256, as Apollo's automatic persisted queries send them. */
export interface PersistedDocuments {
  /**
   * @param query the document; undefined: the stored one
   * @throws HttpError (400) if the hash is not the document's
   * @throws Refusal persistedQueryNotFound
   */
  resolve: (callerClass: CallerClass, persistedQuery: object, query: string | undefined) => string;
}

/**
 * Stores each document under its own hash, so no caller can change what another one's hash means. Each class of callers
 * has a store, so that guests do not evict what others use; an evicted document is sent again.
 */
export function createPersistedDocuments(): PersistedDocuments {
  const createStore = () =>
    new LRUCache<string, string>({ maxSize: maxStored, sizeCalculation: (query) => query.length + 64 });
  const stores: Record<CallerClass, LRUCache<string, string>> = {
    guests: createStore(),
    users: createStore(),
    admin: createStore(),
  };
  return {
    resolve(callerClass, persistedQuery, query) {
      const { version, sha256Hash } = persistedQuery as { version?: unknown; sha256Hash?: unknown };
      if (version !== 1 || typeof sha256Hash !== "string" || !/^[0-9a-f]{64}$/.test(sha256Hash))
        throw new HttpError(400, "persistedQuery must have version 1 and sha256Hash, in hexadecimal.");
      const store = stores[callerClass];
      if (query === undefined) {
        const stored = store.get(sha256Hash);
        if (stored === undefined) throw persistedQueryNotFound;
        return stored;
      }
      if (hash("sha256", query) !== sha256Hash)
        throw new HttpError(400, "provided sha does not match query: sha256Hash must be the SHA-256 of query.");
      if (query.length <= maxLength) store.set(sha256Hash, query);
      return query;
    },
  };
}
