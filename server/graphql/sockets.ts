import { GraphQLError } from "postgraphile/graphql";
import { handleProtocols } from "graphql-ws";
import { useServer } from "graphql-ws/use/ws";
import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocketServer, type WebSocket } from "ws";
import type { Listener } from "../../common/listener.ts";
import type { Log } from "../../common/log.ts";
import type { Notifications } from "../notifications.ts";
import { AuthorisationUnavailable, Unauthorised, type Authoriser, type Caller } from "./authorise.ts";
import { makeChanges, type Changes } from "./changes.ts";
import { Refusal } from "./errors.ts";
import type { Engine } from "./execute.ts";
import { liveQuery, run } from "./live_query.ts";
import { headersOf, operationOf, type Operation } from "./socket_requests.ts";
import type { Audience } from "./preset.ts";

const path = "/v1/graphql";
const maxPayload = 65_536;
const maxSockets = 20_000;
const maxOperations = 50;
const initPatienceMs = 3_000;
/** The longest that a timer can be set for. */
const longestTimer = 2 ** 31 - 1;

interface Open {
  socket: WebSocket;
  headers: IncomingHttpHeaders;
  caller: Caller;
  changes: Set<Changes>;
}

interface OpenOperation extends Operation {
  open: Open;
}

interface Given {
  authoriser: Authoriser;
  engine: (audience: Audience) => Engine;
  listener: Listener<Notifications>;
  log: Log;
}

/** GraphQL over WebSocket (protocol graphql-transport-ws) on the path of HTTP: subscriptions, queries and mutations. */
export function attachSockets(
  http: Server,
  { authoriser, engine, listener, log }: Given,
): { stop: () => Promise<void> } {
  const wss = new WebSocketServer({ noServer: true, maxPayload, handleProtocols });
  const opened = new Map<WebSocket, Open>();

  http.on("upgrade", (request, socket: Duplex, head) => {
    socket.on("error", () => socket.destroy());
    const status = refusalOf(request, wss.clients.size);
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    wss.handleUpgrade(request, socket, head, (accepted) => {
      wss.emit("connection", accepted, request);
    });
  });

  const stopProtocol = useServer(
    {
      connectionInitWaitTimeout: initPatienceMs,
      async onConnect({ connectionParams, extra: { socket } }) {
        const headers = headersOf(connectionParams);
        try {
          const caller = await authoriser.authorise(headers);
          // Its close has been told already, and nothing would ever forget it.
          if (socket.readyState !== socket.OPEN) return false;
          opened.set(socket, { socket, headers, caller, changes: new Set() });
          socket.once("close", () => opened.delete(socket));
          endWith(socket, caller.expires);
          return true;
        } catch (error) {
          if (error instanceof AuthorisationUnavailable) socket.close(1013, "Try again later");
          return false;
        }
      },
      onSubscribe: ({ extra, subscriptions }, _id, payload) => {
        const open = opened.get(extra.socket);
        if (!open) return [new GraphQLError("Not authorised.", { extensions: { code: "access-denied" } })];
        if (Object.keys(subscriptions).length > maxOperations) {
          const refusal = new Refusal(
            "limit-exceeded",
            `A socket has at most ${maxOperations} operations at once.`,
          );
          return [new GraphQLError(refusal.message, { extensions: { code: refusal.code } })];
        }
        const operation = operationOf(engine(open.caller.audience), payload);
        return Array.isArray(operation) ? operation : { ...operation, open };
      },
      execute: ((args: OpenOperation) =>
        run(engine(args.open.caller.audience), args.open.caller, args.request, log)) as never,
      subscribe: ((args: OpenOperation) => {
        const { open, request } = args;
        const changes = makeChanges();
        open.changes.add(changes);
        open.socket.once("close", () => changes.end());
        return forgetting(liveQuery(engine(open.caller.audience), open.caller, request, changes, log), () =>
          open.changes.delete(changes),
        );
      }) as never,
    },
    wss,
  );
  // The library writes a client's broken frames to the terminal, in full; ws has closed the socket already.
  wss.on("connection", (socket) => {
    socket.removeAllListeners("error");
    socket.on("error", ({ message }) => {
      log.debug({ err: message }, "a socket failed");
    });
  });

  /** The session may have been revoked: the socket lives as long as its token would be taken. */
  const authoriseAgain = async (open: Open): Promise<void> => {
    try {
      open.caller = await authoriser.authorise(open.headers);
    } catch (error) {
      if (error instanceof Unauthorised) open.socket.close(4401, "Revoked or expired");
      // While nothing can be asked, nothing is known against it: asked again, not all at once.
      else if (open.socket.readyState === open.socket.OPEN) {
        await delay(500 + Math.random() * 1_000, undefined, { ref: false });
        await authoriseAgain(open);
      }
    }
  };
  const refresh = ({ changes }: Open) => changes.forEach((change) => change.mark());

  const stopListening = listener.on("session_changed", ({ session_id, user_id }) => {
    for (const open of opened.values()) {
      const { settings, audience } = open.caller;
      if (settings["latchkey.session_id"] === session_id) void authoriseAgain(open).then(() => refresh(open));
      else if (audience === "admin" || settings["latchkey.user_id"] === user_id) refresh(open);
    }
  });
  listener.onReconnect(() => {
    for (const open of opened.values()) void authoriseAgain(open).then(() => refresh(open));
  });

  return {
    async stop() {
      stopListening();
      await stopProtocol.dispose();
    },
  };
}

function endWith(socket: WebSocket, expires: Date | undefined): void {
  if (!expires) return;
  const left = Math.min(expires.getTime() - Date.now(), longestTimer);
  const timer = setTimeout(() => socket.close(4401, "Revoked or expired"), left);
  socket.once("close", () => clearTimeout(timer));
}

async function* forgetting<T>(inner: AsyncGenerator<T>, forget: () => void): AsyncGenerator<T> {
  try {
    yield* inner;
  } finally {
    forget();
  }
}

function refusalOf({ url }: IncomingMessage, clients: number): string | undefined {
  if (url?.split("?", 1)[0] !== path) return "404 Not Found";
  return clients >= maxSockets ? "503 Service Unavailable" : undefined;
}
