import { createLastWrite } from "./last_write.ts";
import { listen, type Moments } from "./moments.ts";
import type { TokenStorage } from "./storage.ts";
import { areTokens, idOf, sessionOf, type Session, type Tokens } from "./session_tokens.ts";

/** The stored tokens, and the listeners that are called when they belong to another session. */
export interface TokenStore {
  /** Resolves once the storage was read for the first time. */
  ready: Promise<void>;
  current: () => Session | null;
  /** What this tab sees now. */
  read: () => Promise<Tokens | null>;
  /**
   * What some tab wrote last, if it arrives within two seconds. For a holder of the lock, before a refresh or a new
   * guest session: an older refresh token would count as stolen.
   */
  readLatest: () => Promise<Tokens | null>;
  write: (tokens: Tokens | null) => Promise<void>;
  onChange: (listener: (session: Session | null) => void) => () => void;
  /** Stops listening to other tabs. */
  close: () => void;
}

/** How long a tab waits at least for what another one wrote, and at most for a write that is recorded. */
const [settleMs, arrivalMs] = [50, 2_000];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @param onVisible moments at which another tab may have written unnoticed */
export function createTokenStore(storage: TokenStorage, onVisible: Moments): TokenStore {
  const listeners = new Set<(session: Session | null) => void>();
  const channel = openChannel(storage.sharedAs);
  const lastWrite = storage.sharedAs === undefined ? undefined : createLastWrite(storage.sharedAs);
  let session: Session | null = null;
  let writes = 0;

  function see(tokens: Tokens | null): void {
    const next = tokens && sessionOf(tokens);
    if (next?.id === session?.id) return;
    session = next;
    for (const listener of listeners) listener(next);
  }

  /** A read that a write has overtaken begins again: it would bring the session from before back. */
  async function read(text = storage.read()): Promise<Tokens | null> {
    const before = writes;
    const tokens = parse(await text);
    if (writes !== before) return read();
    see(tokens);
    return tokens;
  }
  const first = storage.read();
  // Promises of libraries (zone.js) and of other realms are not instances of this realm's class.
  const isPending = typeof first === "object" && first !== null;
  // A synchronous storage is read at once, so that a page knows who is signed in before it is drawn.
  if (!isPending) see(parse(first));

  const readAgain = () => void read();
  if (channel) channel.onmessage = readAgain;
  const stopListening = listen(onVisible, readAgain);

  return {
    ready: isPending ? read(first).then(() => undefined) : Promise.resolve(),
    current: () => session,
    read: () => read(),
    async readLatest() {
      if (!lastWrite) return read();
      // Some writes are not recorded: those of an older client, or where IndexedDB fails.
      const [id] = await Promise.all([lastWrite.read(), pause(settleMs)]);
      const end = performance.now() + arrivalMs;
      for (;;) {
        const tokens = await read();
        if (id === undefined || (tokens && idOf(tokens)) === id) return tokens;
        if (performance.now() > end) {
          // It never arrives: another program has changed the storage, or a later write was not recorded.
          await lastWrite.clear();
          return tokens;
        }
        await pause(5);
      }
    },
    async write(tokens) {
      const before = session?.id;
      await storage.write(tokens && JSON.stringify(tokens));
      writes++;
      // Before the listeners are called here, which may leave the page.
      await lastWrite?.record(tokens && idOf(tokens));
      see(tokens);
      if (session?.id !== before) channel?.postMessage(null);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      channel?.close();
      stopListening();
    },
  };
}

/** It transmits no tokens: a tab that is notified of a change reads the storage. */
function openChannel(name: string | undefined): BroadcastChannel | undefined {
  if (name === undefined || typeof BroadcastChannel === "undefined") return undefined;
  const channel = new BroadcastChannel(`latchkey:${name}`);
  // In Node an open channel would keep the process running.
  (channel as { unref?: () => void }).unref?.();
  return channel;
}

/** A value that cannot be parsed counts as no session: an earlier version or another program wrote it. */
function parse(text: string | null): Tokens | null {
  try {
    const tokens: unknown = JSON.parse(text ?? "null");
    if (!areTokens(tokens)) return null;
    sessionOf(tokens);
    return tokens;
  } catch {
    return null;
  }
}
