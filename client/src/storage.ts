/** A place for the tokens. Write your own adapter for another one: a keychain, IndexedDB, a file. */
export interface TokenStorage {
  read: () => string | null | Promise<string | null>;
  /** null removes what is stored. */
  write: (value: string | null) => void | Promise<void>;
  /** The name under which several tabs of one origin share this storage; no other storage may have it. Left out: it is not shared. */
  sharedAs?: string;
}

/** Shared by all tabs of the origin, and kept when the browser is closed. In memory where the browser refuses localStorage. */
export const localTokenStorage = (key = "latchkey"): TokenStorage =>
  webStorage(() => localStorage, key, true) ?? memoryTokenStorage();

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
