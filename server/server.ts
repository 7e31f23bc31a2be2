import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ServerConfig } from "../config/config.ts";
import { tlsWarnings } from "../config/database_url.ts";
import { startListener } from "../runtime/listener.ts";
import type { Log } from "../runtime/log.ts";
import type { PrintedMessages } from "../runtime/printed_messages.ts";
import { checkAddresses } from "../db/address_checks.ts";
import { checkConnections } from "../db/connection_check.ts";
import { checkDatabase } from "../db/startup_checks.ts";
import { createApp } from "./app.ts";
import { api } from "./database/api_functions.ts";
import { openDatabase, type DatabaseOptions } from "./database/database.ts";
import { createDigestWorkers } from "./rest/foreign_passwords/digest_workers.ts";
import { watchDeliveries } from "./rest/deliveries.ts";
import { migrationNames } from "../db/sql_files.ts";
import { boundConnections } from "../http/bounded_connections.ts";
import { createDrain } from "../http/drain.ts";
import { createReadiness } from "../http/readiness.ts";
import { graphqlRoles } from "../db/names.ts";
import { openGraphql } from "../graphql/open_graphql.ts";
import type { CreateSchema } from "../graphql/engine/engines.ts";
import type { SocketBounds } from "../graphql/transport/socket_places.ts";
import { isSocketRequest } from "../graphql/transport/sockets.ts";
import { listen } from "../http/listen.ts";
import { answerMalformed } from "../http/malformed.ts";
import { notifications } from "../runtime/notifications.ts";
import { webhookPath } from "../http/paths.ts";

export interface RunningServer {
  url: string;
  /** Serves for another DRAIN_DELAY_MS, not ready and closing connections, then waits for the requests in flight. */
  stop: () => Promise<void>;
}

/** How long calls and answers may take, how many sockets may be open, and where GraphQL's schemas come from. */
interface Bounds extends Pick<DatabaseOptions, "connectionTimeoutMs" | "longestMs"> {
  stallMs?: number | undefined;
  sockets?: SocketBounds | undefined;
  createSchema?: CreateSchema | undefined;
}

/**
 * Serves until stopped. Listens for deliveries before it takes the first request.
 * @param printedMessages the messages that a worker in this process prints, for the page /demo
 * @param bounds for tests
 */
export async function startServer(
  config: ServerConfig,
  log: Log,
  printedMessages?: PrintedMessages,
  bounds: Bounds = {},
): Promise<RunningServer> {
  // Open resources. They are closed in the opposite order.
  const resources: { stop: () => Promise<void> | void }[] = [];
  const closeAll = async () => {
    for (const { stop } of resources.splice(0).reverse()) await stop();
  };
  try {
    for (const warning of tlsWarnings(config)) log.warn(warning);
    const database = openDatabase(config.SERVER_DATABASE_URL, log, {
      fast: config.SERVER_POOL_SIZE,
      password: config.PASSWORD_POOL_SIZE,
      ...{ connectionTimeoutMs: bounds.connectionTimeoutMs, longestMs: bounds.longestMs },
      batches: !config.OPTIMIZATIONS_OFF.has("batch"),
      pipelines: !config.OPTIMIZATIONS_OFF.has("authorize_pipeline"),
    });
    resources.push(database);
    await checkDatabase({
      ...{ query: database.query, schema: "api", variable: "SERVER_DATABASE_URL" },
      ...{ log, config },
    });
    await checkAddresses({
      ...{ query: database.query, log, config },
      addresses: [
        ...(config.directUrl === config.SERVER_DATABASE_URL
          ? []
          : [{ variable: "SERVER_DATABASE_DIRECT_URL", url: config.directUrl }]),
        { variable: "GRAPHQL_DATABASE_URL", url: config.GRAPHQL_DATABASE_URL, mayBecome: graphqlRoles },
        ...(config.GRAPHQL_DATABASE_DIRECT_URL === undefined
          ? []
          : [
              {
                variable: "GRAPHQL_DATABASE_DIRECT_URL",
                url: config.GRAPHQL_DATABASE_DIRECT_URL,
                mayBecome: graphqlRoles,
              },
            ]),
      ],
    });
    await database.prepareStatements();
    // Each role has one more connection: the one that listens, and the one that GraphQL's reads share.
    await checkConnections({
      ...{ query: database.query, log },
      connections: database.maxConnections + 1 + config.GRAPHQL_POOL_SIZE + 1,
    });
    const listener = await startListener(config.directUrl, notifications, log);
    resources.push(listener);
    let ownUrl = "";
    const graphql = await openGraphql({
      ...{ config, log },
      sessions: {
        findSession: async (sessionId) =>
          (await database.call(api.authorize, { session_id: sessionId })).data ?? undefined,
        countAdminFailure: async (client) => {
          const { error } = await database.call(api.count_admin_failure, { client });
          return error?.details ?? undefined;
        },
      },
      webhookUrl: () => config.AUTH_WEBHOOK_URL ?? ownUrl + webhookPath,
      ...{ connectionTimeoutMs: bounds.connectionTimeoutMs, socketBounds: bounds.sockets },
      createSchema: bounds.createSchema,
    });
    resources.push(graphql);
    const deliveries = watchDeliveries(listener);
    const migration = migrationNames().at(-1) ?? "";
    const check = async () =>
      (await database.call(api.check_readiness, { migration })).data ?? { failed: [], undelivered: [] };
    const renewReads = () => {
      database.renewReads();
      graphql.renewReads();
    };
    // LISTEN fails on a standby, so it works again only on a primary. Connections that read may have been opened on the standby meanwhile.
    listener.onReconnect(renewReads);
    const readiness = createReadiness({ check, renewReads, listener, log });
    const digestWorkers = createDigestWorkers();
    resources.push(digestWorkers);
    const drain = createDrain();
    const app = createApp({
      ...{ config, log, database, deliveries, readiness, digestWorkers, printedMessages },
      graphql: graphql.handlers,
    });
    const connections = boundConnections(bounds.stallMs);
    resources.push(connections);
    const http = createHttpServer(connections.bound(drain.track(app)));
    const sockets = graphql.attachSockets(http, listener);
    await listen(http, config);
    const { port } = http.address() as AddressInfo;
    ownUrl = `http://${ownHost(config)}:${port}`;
    const stop = async () => {
      readiness.stop();
      drain.begin();
      await delay(config.DRAIN_DELAY_MS);
      await sockets.stop();
      await drain.finish(http, () => deliveries.release());
      await closeAll();
    };
    return { url: `http://localhost:${port}`, stop };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function createHttpServer(listener: RequestListener): Server {
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
      shouldUpgradeCallback: isSocketRequest,
    },
    listener,
  );
  // The first read of the address is kept: after a reset a socket has none, and its requests would be counted as unknown.
  http.on("connection", (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
  http.on("clientError", answerMalformed);
  // node:http would answer these, and requests without a Host, itself and without the shape of every error.
  http.on("checkExpectation", listener);
  return http;
}

/** The URL at which this process reaches itself: a server on all interfaces also listens on the loopback. */
function ownHost({ HOST }: ServerConfig): string {
  if (HOST === undefined || HOST === "0.0.0.0" || HOST === "::") return "127.0.0.1";
  return HOST.includes(":") ? `[${HOST}]` : HOST;
}
