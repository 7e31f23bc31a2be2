import type { NextFunction, Request, RequestHandler } from "express";
import { createProxyServer } from "httpxy";
import { Agent, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { UnavailableError } from "../../runtime/database/errors.ts";
import type { TrustProxy } from "../../config/trust_proxy.ts";
import { clientAddress } from "../../http/client_address.ts";
import { failureFields } from "../../http/envelope.ts";
import { contextOf } from "../../http/request_context.ts";
import { authorizationsOf } from "./bearer.ts";
import { graphqlPath } from "../../http/paths.ts";
import { createPlaces } from "../../http/places.ts";
import { Problem } from "../../http/problem.ts";
import { sendJson } from "../../http/send_json.ts";
import { createUpgradeReader } from "../../http/upgrade_address.ts";
import { refuseUpgrade } from "../../http/upgrades.ts";

/** GraphQL's program, as far as the server knows it. */
export interface GraphqlUpstream {
  /** Where it listens (http://host:port); undefined while it is away. */
  url: () => string | undefined | Promise<string | undefined>;
  /** Called when the server stops, before its own sockets are closed. */
  stop?: () => Promise<void>;
}

export interface GraphqlForward {
  /** Passes on a request that GraphQL has not answered: the next handlers send sendUnavailable with their headers. */
  forward: RequestHandler;
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** How many sockets are open. */
  socketCount: () => number;
  /** Closes the sockets that are open. */
  stop: () => Promise<void>;
}

/** How long the program may take to answer an upgrade. Its answers to requests have time-outs of their own. */
const upgradeTimeout = 10_000;

/**
 * Headers about the client's own connection (RFC 9110, section 7.6.1). Passed on, they could upgrade the connection to
 * GraphQL, close it, or make a proxy on the way drop the headers that Connection names.
 */
const ofConnection = ["connection", "proxy-connection", "keep-alive", "te", "trailer", "upgrade", "http2-settings"];

/**
 * How many sockets may be open: each takes two of the process's open files, half of which stay for requests, so that
 * idle sockets cannot keep anybody from signing in. Beyond them, the client with the most loses its newest.
 */
function mostSockets(): number {
  // It would look up the name of each connection's other end.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | "unlimited" } } };
  const files = userLimits?.open_files?.soft;
  return typeof files === "number" ? Math.floor(files / 4) : Infinity;
}

/**
 * Forwards requests and sockets to GraphQL's program, which sees the client's address as the server does (TRUST_PROXY):
 * whatever a client has written into a forwarded header is replaced.
 */
export function forwardGraphql(
  upstream: GraphqlUpstream,
  trustProxy: TrustProxy,
  maxSockets = mostSockets(),
): GraphqlForward {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  const proxy = createProxyServer();
  const socketProxy = createProxyServer({ upgradeTimeout });
  const readUpgrade = createUpgradeReader(trustProxy);
  const sockets = new Set<Duplex>();
  const places = createPlaces({ perAddress: maxSockets, total: maxSockets, evicts: "newest" });

  socketProxy.on("proxyReqWs", (outgoing, _request, socket) => {
    // No time-out of node:http applies to a connection whose upgrade GraphQL refused: the client could keep it.
    outgoing.once("response", () => socket.once("finish", () => socket.destroy()));
    outgoing.once("upgrade", (_response, upstreamSocket) => {
      // httpxy passes on what a side sends, its end included, but not that it was destroyed. Its error comes first, and
      // would be answered as that of an upgrade.
      upstreamSocket.prependListener("error", () => socket.destroy());
      socket.once("close", () => upstreamSocket.destroy());
      upstreamSocket.once("close", () => socket.destroy());
    });
  });
  socketProxy.on("error", (_error, _request, socket) => {
    if (socket && !socket.destroyed) refuseUpgrade(socket as Socket);
  });
  proxy.on("proxyRes", ({ headers }, request, response) => {
    contextOf(request).addLogFields({ forwarded: true });
    // The client's connection is this server's, which closes it when the server stops.
    headers.connection = String(
      response.getHeader("Connection") ?? (response.shouldKeepAlive ? "keep-alive" : "close"),
    );
  });
  return {
    forward: async (request, response, next) => {
      const target = await upstream.url();
      if (target === undefined) {
        passOn(new Error("GraphQL's program is away"), request, response, next);
        return;
      }
      const context = contextOf(request);
      setForwardedHeaders(request, context.client);
      // Express has matched the path, also that of a whole URL (RFC 9112, section 3.2.2).
      const query = request.url.indexOf("?");
      request.url = request.path + (query === -1 ? "" : request.url.slice(query));
      // node:http keeps the first of two; GraphQL refuses both.
      const authorization = authorizationsOf(request);
      if (authorization.length > 1) Object.assign(request.headers, { authorization });
      request.headers["x-request-id"] = context.id;
      // GraphQL trusts what this server says of the trace, so a client's own must not reach it.
      delete request.headers.traceparent;
      if (context.span) request.headers.traceparent = context.span.traceparent;
      await proxy
        .web(request, response, { target, agent })
        .catch((error: unknown) => passOn(error as Error, request, response, next));
    },
    upgrade: (received, socket, head) => {
      const request = readUpgrade(received);
      const client = clientAddress(request.ip);
      setForwardedHeaders(request, client);
      Object.assign(request.headers, { connection: "Upgrade", upgrade: "websocket" });
      socket.on("error", () => socket.destroy());
      const leave = places.enter(client, () => (sockets.has(socket) ? socket.destroy() : refuseUpgrade(socket)));
      if (socket.writableEnded) return;
      sockets.add(socket);
      socket.once("close", () => {
        sockets.delete(socket);
        leave();
      });
      void Promise.resolve(upstream.url()).then((target) => {
        if (target === undefined) refuseUpgrade(socket);
        else void socketProxy.ws(request, socket as Socket, { target }, head);
      });
    },
    socketCount: () => sockets.size,
    async stop() {
      await upstream.stop?.();
      for (const socket of sockets) socket.destroy();
      agent.destroy();
    },
  };
}

function setForwardedHeaders({ headers, host, protocol }: Request, client: string): void {
  for (const name of [...ofConnection, "forwarded"]) Reflect.deleteProperty(headers, name);
  // A client of IPv6 is counted by its /64.
  headers["x-forwarded-for"] = client.replace(/\/64$/, "");
  headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = protocol;
}

/** A failure after the beginning of the answer ends it, and the client sees that it is not complete. */
function passOn(cause: Error, request: IncomingMessage, response: ServerResponse, next: NextFunction): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  contextOf(request).addLogFields(
    failureFields(
      new Problem("SERVICE_UNAVAILABLE", null, {}, { cause: new UnavailableError(cause.message, { cause }) }),
    ),
  );
  next();
}

/** The answer while GraphQL's program is away. Its clients get its own shape of an error, as from the program itself. */
export const sendUnavailable: RequestHandler = (request, response) => {
  const { status, message, code, headers } = new Problem("SERVICE_UNAVAILABLE");
  response.setHeader("Cache-Control", "no-store");
  response.setHeaders(new Map(Object.entries(headers)));
  const extensions = { path: "$", code: "unexpected" };
  const isGraphql = request.path.startsWith(graphqlPath);
  sendJson(response, status, isGraphql ? { errors: [{ message, extensions }] } : { error: { message, code } });
};
