import type { Result } from "./errors.ts";
import { createLock } from "./lock.ts";
import { listen, type Moments } from "./moments.ts";
import type { Send } from "./send_request.ts";
import type { TokenStorage } from "./storage.ts";
import { isOver, openGuest, refresh } from "./token_requests.ts";
import { createTokenStore } from "./token_store.ts";
import { hasEnded, sessionOf, type Session, type Tokens } from "./session_tokens.ts";

/** The session as the application uses it. */
export interface SessionManager {
  /** The signed-in user; null if there is none. With an asynchronous storage it is known only after `ready`. */
  readonly current: Session | null;
  ready: Promise<void>;
  /** Calls the listener when another session, or none, replaces this one, also in another tab. */
  onChange: (listener: (session: Session | null) => void) => () => void;
  /** Opens a guest session unless there is a session already. All tabs get the same one. */
  ensureGuest: () => Promise<Result<Session>>;
  /**
   * Returns a valid access token, for requests to your own services; null without a session. Refreshes it if necessary.
   */
  accessToken: () => Promise<Result<string | null>>;
  /**
   * Deletes the tokens on this device, for a logout that cannot reach the server. On the server the session stays live.
   */
  forget: () => Promise<void>;
}

/** Further methods for the other parts of the client. */
export interface OwnSession extends SessionManager {
  open: (tokens: Tokens) => Promise<void>;
  /**
   * The server has refused this access token: returns another one, or null when the session is over.
   * @param session "over" if the server has said so; "unknown" if a refresh decides
   */
  replace: (refused: string, session: "over" | "unknown") => Promise<Result<string | null>>;
  close: () => void;
}

interface SessionOptions {
  storage: TokenStorage;
  /** Sends a request without the session's token. */
  send: Send;
  onVisible: Moments;
  onOnline: Moments;
}

export function createSession({ storage, send, onVisible, onOnline }: SessionOptions): OwnSession {
  const store = createTokenStore(storage, onVisible);
  // Held for every write, so that no write comes between the read and the write of a refresh.
  const lock = createLock(storage.sharedAs);

  const pending = new Map<string, Promise<Result<string | null>>>();

  /** Requests that wait for the same token share the result: otherwise each of them would repeat a failed refresh. */
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
      const stored = await store.readLatest();
      // Another tab may have refreshed while this one waited for the lock.
      if (!stored || !hasEnded(stored, "soon")) return { data: stored?.accessToken ?? null };
      return refreshStored(stored);
    });
    return result.error && !hasEnded(tokens, "now") ? { data: tokens.accessToken } : result;
  }

  // Without a pause, so that a lost response is requested again while the server still repeats it.
  const stopListening = listen(onOnline, () => void accessToken());

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
        const stored = (await store.read()) ?? (await store.readLatest());
        if (stored) return { data: sessionOf(stored) };
        const { data, error } = await openGuest(send);
        if (error) return { error };
        await store.write(data);
        return { data: sessionOf(data) };
      }),
    replace: (refused, session) =>
      once(`${session} ${refused}`, async () => {
        const stored = await store.readLatest();
        if (stored?.accessToken !== refused) return { data: stored?.accessToken ?? null };
        if (session === "unknown") return refreshStored(stored);
        await store.write(null);
        return { data: null };
      }),
    close() {
      store.close();
      stopListening();
    },
  };
}
