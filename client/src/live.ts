import type { Client, ClientOptions } from "graphql-ws/client";
import { failureOf } from "./errors.ts";
import {
  resultOf,
  textOf,
  type GraphqlResult,
  type TypedDocument,
  type UntypedDocument,
  type VariablesOf,
} from "./graphql.ts";
import { listen, type Moments } from "./moments.ts";
import { retryWait } from "./retry_wait.ts";
import { NoResponse } from "./send_request.ts";
import type { OwnSession } from "./session.ts";
import { sessionOf } from "./session_tokens.ts";

/** Called with the whole result at first and after each change. */
export type LiveListener<Data> = (result: GraphqlResult<Data>) => void;

/**
 * Follows a subscription until the returned function is called. A refusal ends it until somebody signs in, or a guest
 * becomes a user. A query that is refused for now begins again by itself, and the server repeats a read that failed.
 * @throws Error if there is no WebSocket
 */
export interface Live {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    listener: LiveListener<Data>,
    ...variables: VariablesOf<Variables>
  ): () => void;
  <Data>(query: UntypedDocument, listener: LiveListener<Data>, variables?: Record<string, unknown>): () => void;
}

export interface LiveQueries {
  live: Live;
  /** Whether the socket is connected. Calls the listener at each change, and returns a function that ends this. */
  onConnection: (listener: (isConnected: boolean) => void) => () => void;
  close: () => void;
}

/** The browser's WebSocket, or a class like it: that of the npm package ws. */
export type WebSocketClass = new (url: string, protocol: string) => object;

interface LiveOptions {
  webSocket?: WebSocketClass;
  onOnline: Moments;
}

const pingMs = 15_000;
const pongTimeoutMs = 5_000;

/** With this code graphql-ws closes a socket for which there are no connection parameters. */
const internalClientError = 4005;

class SessionOver extends Error {}

/** Live queries share one socket, which opens with the first one and reconnects for as long as there is a session. */
export function createLiveQueries(url: string, session: OwnSession, { webSocket, onOnline }: LiveOptions): LiveQueries {
  const connectionListeners = new Set<(isConnected: boolean) => void>();
  const notifyListeners = (isConnected: boolean) => {
    for (const listener of connectionListeners) listener(isConnected);
  };
  /** Of live queries that have ended with an error. */
  const starts = new Set<() => void>();
  let token: string | null = null;
  let isRefused = false;
  /** Whether there is no token because it could not be refreshed or read. */
  let isUnknown = false;
  let pongTimeout: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let client: Client | undefined;
  let loading: Promise<Client> | undefined;

  /** Loads graphql-ws with the first live query: applications without one do not download it. */
  function loadClient(): Promise<Client> {
    loading ??= import("graphql-ws/client").then(
      ({ createClient }) => (client = createClient(clientOptions)),
      (cause: unknown) => {
        loading = undefined;
        throw new NoResponse(cause);
      },
    );
    return loading;
  }

  const clientOptions: ClientOptions = {
    webSocketImpl: webSocket,
    // Gets the token before the socket opens, because the server then waits only three seconds for it.
    async url() {
      try {
        const { data, error } =
          isRefused && token !== null ? await session.replace(token, "unknown") : await session.accessToken();
        // Without a network the connection will fail too, and graphql-ws retries.
        isUnknown = error !== undefined;
        if (!error) [token, isRefused] = [data, false];
      } catch {
        // A storage that fails now may work later: a keychain is closed while its phone is locked.
        isUnknown = true;
      }
      return `${url}/v1/graphql`.replace(/^http/, "ws");
    },
    connectionParams() {
      if (token === null && !isUnknown) throw new SessionOver();
      // Somebody has signed in or out since the URL was made: graphql-ws tries again, and nobody gets another user's
      // rows.
      if (token === null || sessionOf({ accessToken: token }).id !== session.current?.id)
        throw new Error("The session has changed.");
      return { headers: { Authorization: `Bearer ${token}` } };
    },
    retryAttempts: Infinity,
    retryWait: (retries) => retryWait(retries, onOnline),
    shouldRetry: (cause) => !(cause instanceof SessionOver),
    keepAlive: pingMs,
    on: {
      connected: () => notifyListeners(true),
      closed: (event) => {
        clearTimeout(pongTimeout);
        isRefused ||= isRefusal(event);
        notifyListeners(false);
      },
      // Replaces a connection that was lost unnoticed, for example during sleep.
      ping: (isReceived) => {
        if (!isReceived) pongTimeout = setTimeout(() => client?.terminate(), pongTimeoutMs);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(pongTimeout);
      },
    },
  };
  // Another session has other rows.
  const stopListening = session.onChange((next) => {
    client?.terminate();
    if (next) for (const start of [...starts]) start();
  });

  /** A pause ends early when the network is back, and when another session has other rows, or nobody has any. */
  const onRestart: Moments = (listener) => {
    const stops = [listen(onOnline, listener), session.onChange(listener)];
    return () => stops.forEach((stop) => stop());
  };

  function live<Data>(document: string | object, listener: LiveListener<Data>, variables: unknown = {}): () => void {
    if (!webSocket && typeof WebSocket === "undefined")
      throw new Error(
        "Live queries need a WebSocket, which is missing here: pass a class as the option webSocket, such as that of the npm package ws.",
      );
    const payload = { query: textOf(document), variables: variables as Record<string, unknown> };
    let stop: () => void = () => undefined;
    let isStopped = false;
    /**
     * The number of attempts since the last result. Each may cost a refresh, so the pauses grow while a server refuses
     * every token.
     */
    let refusals = 0;

    function end(result: GraphqlResult<Data>): void {
      if (isStopped) return;
      starts.add(start);
      listener(result);
    }
    function fail(cause: unknown): void {
      // graphql-ws does not reconnect after 4401 by itself. A session that began meanwhile is no reason to end either, nor
      // the late closing of a socket that was given up since its session had ended: graphql-ws takes it for the next one's.
      const isOfEarlier = cause instanceof SessionOver || codeOf(cause) === internalClientError;
      const isBusy = isForNow(cause);
      if (codeOf(cause) === 4401 || isBusy || (isOfEarlier && session.current !== null)) {
        // Not before the server's retryAfterSeconds, which are two: the fourth pause is the first that always lasts that.
        refusals = Math.max(refusals + 1, isBusy ? 4 : 1);
        void retryWait(refusals, onRestart).then(start);
      } else end(resultOf(errorsOf(cause), 401));
    }
    function start(): void {
      starts.delete(start);
      loadClient().then(
        (loaded) => {
          if (isStopped || isClosed) return;
          const next = (value: unknown) => {
            refusals = 0;
            listener(resultOf(value, 200));
          };
          stop = loaded.subscribe(payload, { next, error: fail, complete: () => undefined });
        },
        (cause: unknown) => end(failureOf(cause)),
      );
    }
    start();
    return () => {
      isStopped = true;
      starts.delete(start);
      stop();
    };
  }

  return {
    live,
    onConnection(listener) {
      connectionListeners.add(listener);
      return () => void connectionListeners.delete(listener);
    },
    close() {
      isClosed = true;
      stopListening();
      // It rejects if the socket is not open yet.
      void Promise.resolve(client?.dispose()).catch(() => undefined);
    },
  };
}

const codeOf = (event: unknown): number => Number((event as { code?: unknown } | null)?.code ?? 0);

/**
 * The session was refused when the socket opened, or is revoked, or its token has ended. 4403 is also sent to a session
 * with too many sockets.
 */
const isRefusal = (event: unknown): boolean =>
  codeOf(event) === 4401 || (codeOf(event) === 4403 && (event as CloseEvent).reason === "Forbidden");

/** The query was refused since its user, or the guests of its address, ask for much at the moment. */
const isForNow = (cause: unknown): boolean =>
  Array.isArray(cause) &&
  cause.every(
    (error: { extensions?: { retryAfterSeconds?: unknown } | null }) =>
      typeof error.extensions?.retryAfterSeconds === "number",
  );

/** What graphql-ws reports: the errors of the query, or why there is no connection any more. */
function errorsOf(cause: unknown): { errors: unknown } {
  if (Array.isArray(cause)) return { errors: cause };
  const message = cause instanceof SessionOver ? "The session is over." : "The connection was refused.";
  return { errors: [{ message, extensions: { code: "access-denied" } }] };
}
