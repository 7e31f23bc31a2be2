import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { closeUnread } from "./body_reader.ts";
import { boundConnections } from "./bounded_connections.ts";
import { createDrain } from "./drain.ts";
import { listen, type Address } from "./listen.ts";
import { answerMalformed } from "./malformed.ts";
import { isSocketRequest } from "./upgrades.ts";

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface Options {
  address: Address;
  /** Takes the upgrades of sockets. Without it they are ordinary requests. */
  upgrade: Upgrade | undefined;
  /** How long an answer may stay unread; for tests. */
  stallMs?: number | undefined;
}

export interface HttpService {
  port: number;
  /**
   * Serves for another while, closing connections, then waits for the requests in flight.
   * @param closeSockets ends what was upgraded
   * @param releaseWaiters releases requests that wait for something other than the database
   */
  stop: (drainDelayMs: number, closeSockets: () => Promise<void>, releaseWaiters?: () => void) => Promise<void>;
}

/** Serves an app until stopped. Connections, and what they hold, are bounded. */
export async function serveHttp(app: RequestListener, { address, upgrade, stallMs }: Options): Promise<HttpService> {
  const drain = createDrain();
  const connections = boundConnections(stallMs);
  const http = createHttpServer(connections.bound(drain.track(closeUnread(app))), upgrade !== undefined);
  if (upgrade) http.on("upgrade", upgrade);
  try {
    await listen(http, address);
  } catch (error) {
    connections.stop();
    throw error;
  }
  return {
    port: (http.address() as AddressInfo).port,
    async stop(drainDelayMs, closeSockets, releaseWaiters = () => undefined) {
      drain.begin();
      await delay(drainDelayMs);
      await closeSockets();
      await drain.finish(http, releaseWaiters);
      connections.stop();
    },
  };
}

function createHttpServer(listener: RequestListener, takesSockets: boolean): Server {
  const http = createServer(
    // The longest that a client that sends slowly, or nothing, can keep a socket.
    {
      headersTimeout: 10_000,
      requestTimeout: 20_000,
      // How often both are checked. The default lets a client hold its socket for half a minute longer.
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 30_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => takesSockets && isSocketRequest(request),
    },
    listener,
  );
  // node:http would leave out the headers beyond the thousandth, which may be the one that narrows a request or names the
  // client. maxHeaderSize bounds them.
  http.maxHeadersCount = 0;
  // The first read of the address is kept: after a reset a socket has none, and its requests would be counted as
  // unknown.
  http.on("connection", (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
  http.on("clientError", answerMalformed);
  // node:http would answer these, and requests without a Host, itself and without the shape of every error.
  http.on("checkExpectation", listener);
  return http;
}
