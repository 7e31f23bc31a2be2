import "./hasura/graphile_env.ts";
import type { RequestHandler } from "express";
import type { Server } from "node:http";
import type { ServerConfig } from "../config/config.ts";
import type { Listener } from "../runtime/listener.ts";
import type { Log } from "../runtime/log.ts";
import { createPoolRenewal, keepsBackend, openPool } from "../runtime/pool.ts";
import { openPipelinedConnection } from "../runtime/pipeline.ts";
import type { Notifications } from "../runtime/notifications.ts";
import { createAuthorizer, type AuthorizerOptions } from "./authorization/authorizer.ts";
import { createEngines, type CreateSchema } from "./engine/engines.ts";
import { createGraphqlHandlers } from "./transport/handler.ts";
import type { Audience } from "./authorization/caller.ts";
import { createAddressReader } from "./transport/socket_address.ts";
import type { SocketBounds } from "./transport/socket_places.ts";
import { attachSockets } from "./transport/sockets.ts";

export interface Graphql {
  handlers: RequestHandler[];
  /** Serves WebSockets on the same path. */
  attachSockets: (http: Server, listener: Listener<Notifications>) => { stop: () => Promise<void> };
  /** Replaces each connection: reads never fail on a standby, so a connection would stay on it after a failover. */
  renewReads: () => void;
  stop: () => Promise<void>;
}

interface Options {
  config: ServerConfig;
  log: Log;
  /** Calls functions of schema api as the server: no role of GraphQL may look a stranger's session up. */
  sessions: AuthorizerOptions["database"];
  /** The URL of the authorization webhook. */
  webhookUrl: () => string;
  /** How long a request waits for a connection. */
  connectionTimeoutMs?: number | undefined;
  /** How many sockets may be open. */
  socketBounds?: SocketBounds | undefined;
  createSchema?: CreateSchema | undefined;
}

/**
 * Opens the connections of the GraphQL API, and creates its schemas and the handlers of POST /v1/graphql.
 * @throws OperatorError if the database role has the wrong permissions, and any error of node-pg
 */
export async function openGraphql({
  config,
  log,
  sessions,
  webhookUrl,
  connectionTimeoutMs = 2_000,
  socketBounds,
  createSchema,
}: Options): Promise<Graphql> {
  const options = {
    connectionString: config.GRAPHQL_DATABASE_URL,
    connectionTimeoutMillis: connectionTimeoutMs,
  };
  const pool = openPool(
    {
      ...options,
      application_name: "latchkey graphql",
      max: config.GRAPHQL_POOL_SIZE,
      // Recycling a connection frees its prepared statements, so that no client can exhaust them permanently.
      maxLifetimeSeconds: 3_600,
      // Sends the first statement of a transaction without waiting for the result of BEGIN.
      pipeline: true,
      // Longer than the statement time-out: it ends a call whose connection was dropped silently.
      query_timeout: config.GRAPHQL_STATEMENT_TIMEOUT_MS + 5_000,
    },
    log,
  );
  const renewPool = createPoolRenewal(pool);
  // On a busy machine PostgreSQL may need long to fork a backend: only the start may wait that long, a request may not.
  const startupPool = openPool(
    { ...options, application_name: "latchkey graphql startup", max: 1, connectionTimeoutMillis: 30_000 },
    log,
  );
  const shared = openPipelinedConnection(
    { ...options, application_name: "latchkey graphql shared", query_timeout: 2_500 },
    log,
    // Its lifetime is a minute: recycling frees prepared statements, with which one caller could fill the connection.
    { lifetimeMs: 60_000 },
  );
  const authorizer = createAuthorizer({
    webhookUrl,
    webhookSecret: config.AUTH_WEBHOOK_SECRET,
    adminSecret: config.ADMIN_SECRET,
    database: sessions,
    log,
  });
  const stop = async () => {
    await authorizer.stop();
    await Promise.all([pool.end(), shared.stop()]);
  };
  try {
    const prepareStatements = await keepsBackend(startupPool);
    const engines = await createEngines({
      ...{ config, pool, shared, prepareStatements, createSchema },
      introspectionPool: startupPool,
    });
    const engineOf = (audience: Audience) => engines[audience];
    return {
      handlers: createGraphqlHandlers({ authorizer, engineOf }),
      attachSockets: (http, listener) =>
        attachSockets(http, {
          ...{ authorizer, engineOf, listener, log, bounds: socketBounds },
          addressOf: createAddressReader(config.TRUST_PROXY),
        }),
      renewReads: () => {
        renewPool();
        shared.renew();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await startupPool.end();
  }
}
