import type { Result } from "./errors.ts";
import { createLock } from "./lock.ts";
import type { TokenStorage } from "./storage.ts";
import { isOver, openGuest, refresh, type Send } from "./token_requests.ts";
import { createTokenStore } from "./token_store.ts";
import { hasEnded, sessionOf, type Session, type Tokens } from "./session_tokens.ts";

/** What an application sees of the session. */
export interface SessionManager {
  /** Who is signed in, null for nobody. With an asynchronous storage only after `ready`. */
  readonly current: Session | null;
  ready: Promise<void>;
  /** Calls the listener when another session, or none, takes the place of this one, in whatever tab that happened. */
  onChange: (listener: (session: Session | null) => void) => () => void;
  /** Opens a guest session unless there is a session already. All tabs get the same one. */
  ensureGuest: () => Promise<Result<Session>>;
  /** A good access token, for requests to services of your own; null without a session. Refreshes it where that is due. */
  accessToken: () => Promise<Result<string | null>>;
  /** Forgets the tokens on this device, where a logout cannot reach the server. The session lives on there. */
  forget: () => Promise<void>;
}

/** What the other parts of the client use besides. */
export interface OwnSession extends SessionManager {
  open: (tokens: Tokens) => Promise<void>;
  /**
   * The server has refused this access token: returns another one, or null when the session is over.
   * session: "over" where the server has said so; "unknown" where a refresh decides
   */
  replace: (refused: string, session: "over" | "unknown") => Promise<Result<string | null>>;
  close: () => void;
}

const settleMs = 50;

export function createSession(storage: TokenStorage, send: Send): OwnSession {
  const store = createTokenStore(storage);
  // Held for every write, so that nobody writes between the reading and the writing of a refresh.
  const lock = createLock(storage.sharedAs);

  /**
   * The stored tokens, before they are refreshed. Browsers pass localStorage on from tab to tab with a delay, so the lock alone does not
   * show what its last holder wrote, nor what happened while this tab slept: an older refresh token would be taken for a stolen one.
   */
  async function readSettled(): Promise<Tokens | null> {
    if (storage.sharedAs !== undefined) await new Promise((resolve) => setTimeout(resolve, settleMs));
    return store.read();
  }

  const pending = new Map<string, Promise<Result<string | null>>>();

  /** Requests that wait for the same token share what becomes of it. Else each of them would repeat a refresh that fails. */
  function once(key: string, work: () => Promise<Result<string | null>>): Promise<Result<string | null>> {
    const result = pending.get(key) ?? lock(work).finally(() => pending.delete(key));
    pending.set(key, result);
    return result;
  }

  /** Called with the lock. */
  async function refreshStored(stored: Tokens): Promise<Result<string | null>> {
    const { data, error } = await refresh(send, stored.refreshToken);
    if (error && !isOver(error)) return { error };
    await store.write(data ?? null);
    return { data: data?.accessToken ?? null };
  }

  async function accessToken(): Promise<Result<string | null>> {
    const tokens = await store.read();
    if (!tokens || !hasEnded(tokens, "soon")) return { data: tokens?.accessToken ?? null };
    const result = await once(`due ${tokens.accessToken}`, async () => {
      const stored = await readSettled();
      // Another tab may have refreshed while this one waited for the lock.
      if (!stored || !hasEnded(stored, "soon")) return { data: stored?.accessToken ?? null };
      return refreshStored(stored);
    });
    return result.error && !hasEnded(tokens, "now") ? { data: tokens.accessToken } : result;
  }

  // At once, so that a lost response is asked for again while the server still repeats it.
  const onOnline = () => void accessToken();
  const page = typeof window === "undefined" ? undefined : window;
  page?.addEventListener("online", onOnline);

  return {
    get current() {
      return store.current();
    },
    ready: store.ready,
    onChange: store.onChange,
    accessToken,
    open: (tokens) => lock(() => store.write(tokens)),
    forget: () => lock(() => store.write(null)),
    ensureGuest: () =>
      lock(async () => {
        const stored = await store.read();
        if (stored) return { data: sessionOf(stored) };
        const { data, error } = await openGuest(send);
        if (error) return { error };
        await store.write(data);
        return { data: sessionOf(data) };
      }),
    replace: (refused, session) =>
      once(`${session} ${refused}`, async () => {
        const stored = await readSettled();
        if (stored?.accessToken !== refused) return { data: stored?.accessToken ?? null };
        if (session === "unknown") return refreshStored(stored);
        await store.write(null);
        return { data: null };
      }),
    close() {
      store.close();
      page?.removeEventListener("online", onOnline);
    },
  };
}
