import { createApi, type Api } from "./api.ts";
import { createAuthorizedFetch, promotingRoutes } from "./authorized_fetch.ts";
import { createGraphql, type Graphql } from "./graphql.ts";
import { createLiveQueries, type LiveQueries } from "./live.ts";
import { createSession, type SessionManager } from "./session.ts";
import { localTokenStorage, type TokenStorage } from "./storage.ts";
import { tokensIn } from "./token_requests.ts";

export interface LatchkeyOptions {
  /** The service without /api/v1, such as https://auth.example.com. Left out in a browser: the page's own origin. */
  url?: string;
  /** Default: localTokenStorage(). */
  storage?: TokenStorage;
  /** Default: the global fetch. */
  fetch?: typeof fetch;
}

export interface Latchkey extends Api, Pick<LiveQueries, "live" | "onConnection"> {
  session: SessionManager;
  graphql: Graphql;
  /** Closes the socket and stops listening to other tabs. The session stays. */
  close: () => void;
}

const opening = new Set([...promotingRoutes, "POST /auth/session/guest", "POST /auth/session/refresh"]);
const ending = new Set(["POST /auth/logout", "DELETE /auth/account"]);

export function createLatchkey(options: LatchkeyOptions = {}): Latchkey {
  // In the spelling of requests, which are compared with it: without ":443", in lower case.
  const url = new URL(options.url ?? globalThis.location.origin).href.replace(/\/+$/, "");
  // Called without an object: the browser's fetch refuses any other `this`.
  const send = (input: string | Request, init?: RequestInit) => (options.fetch ?? fetch)(input, init);
  const session = createSession(options.storage ?? localTokenStorage(), (path, init) =>
    send(`${url}/api/v1${path}`, init),
  );
  const authorizedFetch = createAuthorizedFetch(url, session, send);
  const { live, onConnection, close } = createLiveQueries(url, session);

  /** Updates the session after each route that changes it. */
  async function onSuccess(route: string, data: unknown): Promise<void> {
    const tokens = opening.has(route) ? tokensIn(data) : undefined;
    if (tokens) await session.open(tokens);
    if (ending.has(route)) await session.forget();
  }

  return {
    ...createApi({ url, fetch: authorizedFetch, onSuccess }),
    session,
    graphql: createGraphql(url, authorizedFetch),
    ...{ live, onConnection },
    close() {
      session.close();
      close();
    },
  };
}
