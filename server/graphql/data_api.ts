import "./hasura/graphile_env.ts";
import type { RequestHandler } from "express";
import type { Server } from "node:http";
import type { ServerConfig } from "../../config/config.ts";
import type { Listener } from "../database/listener.ts";
import type { Log } from "../../runtime/log.ts";
import { keepsBackend, openPool } from "../../runtime/pool.ts";
import { openSharedConnection } from "../database/pipeline.ts";
import { checkRole } from "../../db/startup_checks.ts";
import type { Notifications } from "../database/notifications.ts";
import { makeAuthorizer } from "../authorization/authorize.ts";
import { openEngines } from "./engine/engines.ts";
import { graphqlHandlers } from "./transport/handler.ts";
import type { Audience } from "../authorization/caller.ts";
import { socketAddress } from "./transport/socket_address.ts";
import { attachSockets } from "./transport/sockets.ts";

/** What GraphQL requests run as. */
const requestRoles = ["latchkey_guest", "latchkey_user", "latchkey_admin"];

export interface Graphql {
  handlers: RequestHandler[];
  /** Takes sockets too, on the same path. */
  attachSockets: (http: Server, listener: Listener<Notifications>) => { stop: () => Promise<void> };
  stop: () => Promise<void>;
}

/** The data API: its own connections, a schema for each audience, and the handlers of POST /v1/graphql. */
export async function openGraphql(
  config: ServerConfig,
  log: Log,
  webhookUrl: () => string,
): Promise<Graphql> {
  const options = { connectionString: config.GRAPHQL_DATABASE_URL, connectionTimeoutMillis: 2_000 };
  const pool = openPool(
    {
      ...options,
      application_name: "latchkey graphql",
      max: config.GRAPHQL_POOL_SIZE,
      // With a connection go the statements that it keeps prepared: nobody fills them up for good.
      maxLifetimeSeconds: 3_600,
      // A transaction's first query follows its beginning without waiting for an answer.
      pipeline: true,
      // Longer than the statement timeout: it ends a call whose connection died without a word.
      query_timeout: config.GRAPHQL_STATEMENT_TIMEOUT_MS + 5_000,
    },
    log,
  );
  const shared = openSharedConnection(
    { ...options, application_name: "latchkey graphql shared", query_timeout: 2_500 },
    log,
    // One caller's many statements could be all that it prepares: a minute long, not for good.
    { lifetimeMs: 60_000 },
  );
  const authorizer = makeAuthorizer({
    webhookUrl,
    webhookSecret: config.AUTH_WEBHOOK_SECRET,
    adminSecret: config.ADMIN_SECRET,
    log,
  });
  const stop = async () => {
    await authorizer.stop();
    await Promise.all([pool.end(), shared.stop()]);
  };
  try {
    await checkRole({ query: pool.query.bind(pool), log, config, mayBecome: requestRoles });
    const prepared = await keepsBackend(pool);
    const engines = await openEngines({ config, pool, shared, prepared });
    const engine = (audience: Audience) => engines[audience];
    return {
      handlers: graphqlHandlers({ authorizer, engine }),
      attachSockets: (http, listener) =>
        attachSockets(http, {
          ...{ authorizer, engine, listener, log },
          addressOf: socketAddress(config.TRUST_PROXY),
        }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
