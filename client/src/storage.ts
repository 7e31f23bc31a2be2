/** A place for the tokens. Write your own adapter for another one: a keychain, IndexedDB, a file. */
export interface TokenStorage {
  read: () => string | null | Promise<string | null>;
  /** null removes what is stored. */
  write: (value: string | null) => void | Promise<void>;
  /**
   * The name under which several tabs of one origin share this storage; no other storage may have it. Left out: it is
   * not shared.
   */
  sharedAs?: string;
}

/**
 * Shared by all tabs of the origin, and kept when the browser is closed. In memory where the browser refuses
 * localStorage.
 */
export const localTokenStorage = (key = "latchkey"): TokenStorage =>
  webStorage(() => localStorage, key, true) ?? memoryTokenStorage();

/**
 * localTokenStorage() in a page.
 * @throws Error elsewhere: memory would be shared by all visitors of a server, and lose an app's session at its next start
 */
export function defaultTokenStorage(): TokenStorage {
  const hasWindow = typeof window !== "undefined";
  const storage = hasWindow ? webStorage(() => localStorage, "latchkey", true) : undefined;
  if (storage) return storage;
  // React Native has a window that is no page.
  if (hasWindow && typeof document !== "undefined") return memoryTokenStorage();
  throw new Error(
    "createLatchkey needs the option storage outside of a page. On a server one client would sign all visitors in as the same user: " +
      "create a client for each request, with a storage of that request's cookies. " +
      "A script or test for a single user may pass memoryTokenStorage().",
  );
}

/** For one tab, until it is closed. A duplicated tab gets a copy of the tokens, which then changes separately. */
export const tabTokenStorage = (key = "latchkey"): TokenStorage =>
  webStorage(() => sessionStorage, key, false) ?? memoryTokenStorage();

/** Kept in memory until the page or process ends. */
export function memoryTokenStorage(): TokenStorage {
  let stored: string | null = null;
  return { read: () => stored, write: (value) => void (stored = value) };
}

function webStorage(find: () => Storage, key: string, isShared: boolean): TokenStorage | undefined {
  try {
    const storage = find();
    // Some browsers have localStorage but refuse access to it.
    storage.getItem(key);
    let unsaved: string | undefined;
    return {
      read: () => unsaved ?? storage.getItem(key),
      write(value) {
        unsaved = undefined;
        if (value === null) {
          storage.removeItem(key);
          return;
        }
        try {
          storage.setItem(key, value);
        } catch {
          // It is full. The tokens from before would count as stolen.
          storage.removeItem(key);
          unsaved = value;
        }
      },
      ...(isShared && { sharedAs: key }),
    };
  } catch {
    return undefined;
  }
}
