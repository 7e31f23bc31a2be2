import { handleProtocols } from "graphql-ws";
import { useServer } from "graphql-ws/use/ws";
import type { IncomingMessage } from "node:http";
import { WebSocketServer, type ServerOptions } from "ws";
import { createTurns } from "../turns.ts";
import { createPlaces } from "../../http/places.ts";
import type { Listener } from "../../runtime/database/listener.ts";
import type { Log } from "../../runtime/log.ts";
import { longestStallMs } from "../../http/bounded_connections.ts";
import type { Upgrade } from "../../http/http_service.ts";
import { refuseUpgrade } from "../../http/upgrades.ts";
import type { Notifications, tableNotifications } from "../../runtime/database/notifications.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { createBoundedSocketClass } from "./bounded_socket.ts";
import { closings } from "./closings.ts";
import type { Engine } from "../engine/engine.ts";
import type { Audience, CallerClass } from "../authorization/caller.ts";
import { callerClassOf } from "../engine/admission/principals.ts";
import { paceReading } from "./pace_reading.ts";
import { keepAuthorized } from "./reauthorization.ts";
import { createSocketPlaces, type SocketBounds } from "./socket_places.ts";
import { createSocketProtocol, type ObserveSockets } from "./socket_protocol.ts";
import type { ChangeSource } from "../hasura/subscriptions.ts";
import { throttle, type Throttled } from "./throttle.ts";
import { createSocketTable, type SocketEntry } from "./socket_table.ts";

/** Bytes of a message. */
const maxPayload = 65_536;
/**
 * Frames of a message, and pieces in which a frame arrives: each takes some 200 bytes and its time, however short it
 * is.
 */
const mostPieces = { maxFragments: 16, maxBufferedChunks: 1_024 };
const bufferLimits = { perSocket: 1_048_576, total: 67_108_864, stallMs: longestStallMs };
/** Two messages of maxPayload at once, then one in two seconds. */
const readRate = { bytesPerSecond: 32_768, burstBytes: 131_072 };
/**
 * Between its handshake and connection_init, which clients send at once, a socket uses memory before its session is
 * known.
 */
const unauthorizedSockets = { perAddress: 100, total: 1_000, evicts: "oldest" } as const;
/** Milliseconds that a client has to answer a close frame. */
const closeTimeout = 2_000;
/** Concurrency of the work that notifications cause, over all sockets: a logout must not delay other requests. */
const concurrentReads = 4;
const concurrentAuthorizations = 8;
/** Milliseconds between two repetitions that changes of one table cause, and between two of the admin's live queries. */
const pauseMs = 1_000;
/** Every role may notify, so a payload may be anything. */
const maxTables = 1_000;
const maxTimerMs = 2 ** 31 - 1;

interface Options {
  authorizer: Authorizer;
  engineOf: (audience: Audience) => Engine;
  listener: Listener<Notifications & typeof tableNotifications>;
  /** The client's address, as limits count it. */
  addressOf: (request: IncomingMessage) => string;
  log: Log;
  observe?: ObserveSockets | undefined;
  /** For tests. */
  bounds?: SocketBounds | undefined;
}

export interface SocketCounts {
  sockets: Record<CallerClass, number>;
  subscriptions: number;
}

/** Serves GraphQL over WebSocket (protocol graphql-transport-ws) on the path of the HTTP endpoint. */
export function createSockets({ authorizer, engineOf, listener, addressOf, log, observe, bounds }: Options): {
  upgrade: Upgrade;
  counts: () => SocketCounts;
  stop: () => Promise<void>;
} {
  const options = {
    noServer: true,
    maxPayload,
    ...mostPieces,
    closeTimeout,
    handleProtocols,
    // ws then emits one frame of a socket per tick: a client that floods the server delays others by one frame only.
    allowSynchronousEvents: false,
    WebSocket: createBoundedSocketClass(bufferLimits),
  } as ServerOptions;
  const wss = new WebSocketServer(options);
  /** Sockets that are not authorized yet, and those that were evicted and have not answered the close frame. */
  const unauthorized = createPlaces(unauthorizedSockets);
  const places = createSocketPlaces(bounds);
  const leaveFunctions = new WeakMap<object, () => void>();
  const table = createSocketTable();
  let isStopping = false;

  const upgrade: Upgrade = (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    if (isStopping) {
      refuseUpgrade(socket);
      return;
    }
    const leave = unauthorized.enter(addressOf(request), () => socket.destroy());
    socket.once("close", leave);
    wss.handleUpgrade(request, socket, head, (accepted) => {
      leaveFunctions.set(accepted, leave);
      wss.emit("connection", accepted, request);
    });
  };

  const refreshLiveQueries = ({ liveQueries }: SocketEntry) => {
    for (const changes of liveQueries.keys()) changes.notify();
  };
  const closeUnauthorized = (entry: SocketEntry) => {
    // Removed first: until the client answers the close frame, it could still send operations.
    table.remove(entry);
    entry.socket.close(...closings.unauthorized);
  };
  const evict = (entry: SocketEntry) => {
    const { socket, caller } = entry;
    table.remove(entry);
    socket.close(...closings.crowded);
    // Counted until it is closed, so that clients that never answer the close frame hold no more sockets than the
    // bounds say.
    socket.once(
      "close",
      unauthorized.enter(caller.address ?? "unknown", () => socket.terminate()),
    );
  };
  const authorizations = createTurns(concurrentAuthorizations);
  const onAuthorized = (entry: SocketEntry) => {
    leaveFunctions.get(entry.socket)?.();
    entry.socket.once("close", () => table.remove(entry));
    entry.socket.once(
      "close",
      places.enter(entry.caller, () => evict(entry)),
    );
    // It may be the newest socket of the address that holds most.
    if (table.get(entry.socket) !== entry) return;
    closeOnExpiry(entry, closeUnauthorized);
    void keepAuthorized(entry, {
      authorizer,
      queue: authorizations,
      onAuthorized: refreshLiveQueries,
      onUnauthorized: closeUnauthorized,
    });
  };

  const readQueue = createTurns(concurrentReads);
  const protocol = useServer(
    createSocketProtocol({ authorizer, engineOf, table, readQueue, addressOf, onAuthorized, observe, log }),
    wss,
  );
  wss.on("connection", (socket) => {
    paceReading(socket, readRate);
    // graphql-ws prints a client's malformed frames to the console. ws has closed the socket already.
    socket.removeAllListeners("error");
    socket.on("error", ({ message }) => {
      log.debug({ err: message }, "a socket failed");
    });
  });

  // The admin's live queries cover all users: without a pause each login would repeat them.
  const refreshAdmins = throttle(() => {
    for (const entry of table.ofAdmins()) refreshLiveQueries(entry);
  }, pauseMs);
  const stopListening = listener.on("session_changed", (digest) => {
    // Which of the owner's sessions changed is not said: those that are authorized again read their live queries again.
    for (const { sessionChange } of table.ofOwner(digest)) sessionChange.notify();
    refreshAdmins();
  });
  // Whom a change concerns is not said, so all who subscribed to the table read again. Without a pause, one writer could
  // repeat the live queries of all others as fast as it writes.
  const tables = new Map<ChangeSource, Throttled>();
  const refreshReaders = (source: ChangeSource) => {
    for (const { liveQueries } of table.all())
      for (const [changes, sources] of liveQueries) if (sources.has(source)) changes.notify();
  };
  const tableChanged = (source: ChangeSource) => {
    if (!tables.has(source) && tables.size >= maxTables) return;
    const refresh = tables.get(source) ?? throttle(() => refreshReaders(source), pauseMs);
    tables.set(source, refresh);
    refresh();
  };
  const stopTables = listener.on("table_changed", tableChanged);
  const stopCounting = listener.on("otp_delivery", () => tableChanged("otp_delivery"));
  listener.onReconnect(() => {
    // Notifications may have been lost.
    for (const { sessionChange } of table.all()) sessionChange.notify();
  });

  return {
    upgrade,
    counts() {
      const counts: SocketCounts = { sockets: { guests: 0, users: 0, admin: 0 }, subscriptions: 0 };
      for (const { caller, liveQueries } of table.all()) {
        counts.sockets[callerClassOf(caller)]++;
        counts.subscriptions += liveQueries.size;
      }
      return counts;
    },
    async stop() {
      isStopping = true;
      stopListening();
      stopCounting();
      stopTables();
      for (const refresh of tables.values()) refresh.stop();
      refreshAdmins.stop();
      await protocol.dispose();
    },
  };
}

function closeOnExpiry(entry: SocketEntry, close: (entry: SocketEntry) => void): void {
  const { expires } = entry.caller;
  if (!expires) return;
  const remainingMs = Math.min(expires.getTime() - Date.now(), maxTimerMs);
  const timer = setTimeout(() => close(entry), remainingMs);
  entry.socket.once("close", () => clearTimeout(timer));
}
