import "./graphile_env.ts";
import type { RequestHandler } from "express";
import type { Server } from "node:http";
import type { ServerConfig } from "../../common/config.ts";
import type { Listener } from "../../common/listener.ts";
import type { Log } from "../../common/log.ts";
import { keepsBackend, openPool } from "../../common/pool.ts";
import { checkRole } from "../../common/startup_checks.ts";
import { makeAuthoriser } from "./authorise.ts";
import { makeDocuments } from "./documents.ts";
import type { Engine } from "./execute.ts";
import { graphqlHandlers } from "./handler.ts";
import { makeAudienceSchema, type Audience } from "./preset.ts";
import { attachSockets } from "./sockets.ts";

export interface Graphql {
  handlers: RequestHandler[];
  /** Takes sockets too, on the same path. */
  attachSockets: (http: Server, listener: Listener) => { stop: () => Promise<void> };
  stop: () => Promise<void>;
}

/** The data API: a pool of its own, a schema for each audience, and the handlers of POST /v1/graphql. */
export async function openGraphql(
  config: ServerConfig,
  log: Log,
  webhookUrl: () => string,
): Promise<Graphql> {
  const pool = openPool(
    {
      connectionString: config.GRAPHQL_DATABASE_URL,
      application_name: "latchkey graphql",
      max: 10,
      // With a connection go the statements that it keeps prepared: nobody fills them up for good.
      maxLifetimeSeconds: 3_600,
      connectionTimeoutMillis: 2_000,
      // A transaction's first query follows its beginning without waiting for an answer.
      pipeline: true,
      // Longer than the statement timeout: it ends a call whose connection died without a word.
      query_timeout: config.GRAPHQL_STATEMENT_TIMEOUT_MS + 5_000,
    },
    log,
  );
  const authoriser = makeAuthoriser({
    webhookUrl,
    webhookSecret: config.AUTH_WEBHOOK_SECRET,
    adminSecret: config.ADMIN_SECRET,
    log,
  });
  const stop = async () => {
    await authoriser.stop();
    await pool.end();
  };
  const makeEngine = async (audience: Audience, prepared: boolean): Promise<Engine> => {
    const schema = await makeAudienceSchema(pool, audience);
    const introspection = audience === "admin" || config.GRAPHQL_INTROSPECTION;
    return {
      audience: schema,
      documents: makeDocuments(schema.schema, { introspection }),
      pool,
      prepared,
      statementTimeoutMs: config.GRAPHQL_STATEMENT_TIMEOUT_MS,
    };
  };
  try {
    await checkRole({ query: pool.query.bind(pool), log, config });
    const prepared = await keepsBackend(pool);
    const [user, admin] = await Promise.all([makeEngine("user", prepared), makeEngine("admin", prepared)]);
    const engines = { user, admin };
    const engine = (audience: Audience) => engines[audience];
    return {
      handlers: graphqlHandlers({ authoriser, engine }),
      attachSockets: (http, listener) => attachSockets(http, { authoriser, engine, listener, log }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
