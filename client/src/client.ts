import { createApi, type Api } from "./api.ts";
import { createAuthorizedSend } from "./authorized_fetch.ts";
import { createSignInWithCode, type SignInWithCode } from "./code_sign_in.ts";
import { createGraphql, type Graphql } from "./graphql.ts";
import { createLiveQueries, type LiveQueries, type WebSocketClass } from "./live.ts";
import { pageEvents, type Moments } from "./moments.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import { createSend } from "./send_request.ts";
import { createSession, type SessionManager } from "./session.ts";
import { defaultTokenStorage, type TokenStorage } from "./storage.ts";
import { tokensIn } from "./token_requests.ts";

export interface LatchkeyOptions {
  /** The service without /api/v1, such as https://auth.example.com. Left out in a browser: the page's own origin. */
  url?: string;
  /** Default: localTokenStorage(). Required where there is no page: on a server, in a worker, in React Native. */
  storage?: TokenStorage;
  /** Default: the global fetch. */
  fetch?: typeof fetch;
  /** For live queries where there is no global WebSocket, such as in Node 20. */
  webSocket?: WebSocketClass;
  /** Calls the listener whenever the app comes to the foreground. Default: the page's events. */
  onVisible?: Moments;
  /** Calls the listener whenever the network is back. Default: the page's event. */
  onOnline?: Moments;
}

export interface Latchkey extends Api, Passkeys, Pick<LiveQueries, "live" | "onConnection"> {
  session: SessionManager;
  signInWithCode: SignInWithCode;
  graphql: Graphql;
  /** Closes the socket and stops listening to other tabs. The session stays. */
  close: () => void;
}

const ending = new Set(["POST /auth/logout", "DELETE /auth/account"]);

export function createLatchkey(options: LatchkeyOptions = {}): Latchkey {
  const url = serviceUrl(options.url);
  // The channel may be faster than localStorage, which then has its own event. A tab that slept may have missed both.
  const { onVisible = pageEvents("storage", "visibilitychange"), onOnline = pageEvents("online") } = options;
  const send = createSend(url, options.fetch);
  const session = createSession({
    send,
    onVisible,
    onOnline,
    storage: options.storage ?? defaultTokenStorage(),
  });
  const authorizedSend = createAuthorizedSend(session, send);
  const { live, onConnection, close } = createLiveQueries(url, session, { ...options, onOnline });

  /** Updates the session after each route that changes it: whatever answers with tokens has opened or renewed one. */
  async function onSuccess(route: string, data: unknown): Promise<void> {
    const tokens = tokensIn(data);
    if (tokens) await session.open(tokens);
    if (ending.has(route)) await session.forget();
  }

  const api = createApi({ send: authorizedSend, onSuccess });
  return {
    ...api,
    signInWithCode: createSignInWithCode(api),
    ...createPasskeys(api),
    session,
    graphql: createGraphql(authorizedSend),
    live,
    onConnection,
    close() {
      session.close();
      close();
    },
  };
}

/** Returns the URL in the spelling of requests: without ":443", in lower case, without a final slash. */
function serviceUrl(text: string | undefined): string {
  const url = text ?? (typeof location === "undefined" ? "" : location.origin);
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(url) || /\/(api\/v1|v1\/graphql)(\/|$)/.test(url))
    throw new Error(
      "url must be the address of the service, with http:// or https:// and without /api/v1, such as https://auth.example.com.",
    );
  return new URL(url).href.replace(/\/+$/, "");
}
