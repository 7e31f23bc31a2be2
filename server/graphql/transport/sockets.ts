import { handleProtocols } from "graphql-ws";
import { useServer } from "graphql-ws/use/ws";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type ServerOptions } from "ws";
import { createFairQueue } from "../../queues/fair_queue.ts";
import type { Listener } from "../../database/listener.ts";
import type { Log } from "../../../runtime/log.ts";
import { hasValidHost } from "../../http/malformed.ts";
import type { Notifications } from "../../database/notifications.ts";
import type { Authorizer } from "../../authorization/authorize.ts";
import { createBoundedSocketClass } from "./bounded_socket.ts";
import type { Engine } from "../engine/engine.ts";
import { createInitWindow } from "./init_window.ts";
import type { Audience } from "../../authorization/caller.ts";
import { paceReading } from "./pace_reading.ts";
import { keepAuthorized } from "./reauthorization.ts";
import { socketProtocol } from "./socket_protocol.ts";
import { createSocketTable, sessionOf, type OpenSocket } from "./socket_table.ts";

const path = "/v1/graphql";
const maxPayload = 65_536;
const maxSockets = 20_000;
const unsentBytes = { perSocket: 1_048_576, inAll: 67_108_864 };
/** Two of the longest messages at once, then one in two seconds. */
const reading = { bytesPerSecond: 32_768, burst: 131_072 };
const unauthorizedSockets = { perAddress: 100, inAll: 1_000 };
/** How long a peer may take to answer a close frame; until then its socket counts. */
const closeTimeout = 2_000;
/** What notifications cause runs so much at once, over all sockets: a logout must not keep requests waiting. */
const concurrentReads = 4;
const concurrentAuthorizations = 8;
/** The longest that a timer can be set for. */
const longestTimer = 2 ** 31 - 1;

interface Options {
  authorizer: Authorizer;
  engine: (audience: Audience) => Engine;
  listener: Listener<Notifications>;
  /** The client's address, as limits count it. */
  addressOf: (request: IncomingMessage) => string;
  log: Log;
}

/** Whether a request offers the one upgrade that is taken; any other offer is to be ignored (RFC 9110 section 7.8). */
export const isSocketRequest = (request: IncomingMessage): boolean =>
  request.method === "GET" &&
  request.url?.split("?", 1)[0] === path &&
  request.headers.upgrade?.toLowerCase() === "websocket" &&
  // Without a valid Host it is answered as any malformed request.
  hasValidHost(request);

/** GraphQL over WebSocket (protocol graphql-transport-ws) on the path of HTTP: subscriptions, queries and mutations. */
export function attachSockets(
  http: Server,
  { authorizer, engine, listener, addressOf, log }: Options,
): { stop: () => Promise<void> } {
  const options = {
    ...{ noServer: true, maxPayload, closeTimeout, handleProtocols },
    // One frame of a socket in each turn of the event loop: a peer that floods delays nobody by more than one of its frames.
    allowSynchronousEvents: false,
    WebSocket: createBoundedSocketClass(unsentBytes),
  } as ServerOptions;
  const wss = new WebSocketServer(options);
  const initWindow = createInitWindow(unauthorizedSockets);
  const leaveInitWindow = new WeakMap<object, () => void>();
  const table = createSocketTable();

  http.on("upgrade", (request, socket: Duplex, head) => {
    socket.on("error", () => socket.destroy());
    if (wss.clients.size >= maxSockets) {
      refuse(socket);
      return;
    }
    const leave = initWindow.enter(addressOf(request), () => socket.destroy());
    socket.once("close", leave);
    wss.handleUpgrade(request, socket, head, (accepted) => {
      leaveInitWindow.set(accepted, leave);
      wss.emit("connection", accepted, request);
    });
  });

  const refresh = ({ live }: OpenSocket) => live.forEach((changes) => changes.mark());
  const end = (open: OpenSocket) => {
    // First of all, because a peer that does not answer the close frame could go on asking.
    table.remove(open);
    open.socket.close(4401, "Revoked or expired");
  };
  const authorizations = createFairQueue(concurrentAuthorizations);
  const opened = (open: OpenSocket) => {
    leaveInitWindow.get(open.socket)?.();
    open.socket.once("close", () => table.remove(open));
    endAt(open, end);
    void keepAuthorized(open, { authorizer, queue: authorizations, refused: end, authorized: refresh });
  };

  const reads = createFairQueue(concurrentReads);
  const stopProtocol = useServer(
    socketProtocol({ authorizer, engine, table, reads, addressOf, opened, log }),
    wss,
  );
  // The library writes a client's broken frames to the terminal, in full; ws has closed the socket already.
  wss.on("connection", (socket) => {
    paceReading(socket, reading);
    socket.removeAllListeners("error");
    socket.on("error", ({ message }) => {
      log.debug({ err: message }, "a socket failed");
    });
  });

  const stopListening = listener.on("session_changed", ({ session_id, user_id }) => {
    for (const { doubts } of table.ofSession(session_id)) doubts.mark();
    const others = user_id === null ? [] : table.ofUser(user_id);
    for (const open of others) if (sessionOf(open.caller) !== session_id) refresh(open);
    for (const open of table.ofAdmins()) refresh(open);
  });
  listener.onReconnect(() => {
    for (const { doubts } of table.all()) doubts.mark();
  });

  return {
    async stop() {
      stopListening();
      await stopProtocol.dispose();
    },
  };
}

function endAt(open: OpenSocket, end: (open: OpenSocket) => void): void {
  const { expires } = open.caller;
  if (!expires) return;
  const left = Math.min(expires.getTime() - Date.now(), longestTimer);
  const timer = setTimeout(() => end(open), left);
  open.socket.once("close", () => clearTimeout(timer));
}

/** Ends the connection for good: its time-outs went with its upgrade, so a peer could keep its half open forever. */
function refuse(socket: Duplex): void {
  socket.once("finish", () => socket.destroy());
  socket.end(
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n",
  );
}
