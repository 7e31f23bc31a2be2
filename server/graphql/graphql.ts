import "./graphile_env.ts";
import type { RequestHandler } from "express";
import type { Server } from "node:http";
import type { ServerConfig } from "../../common/config.ts";
import type { Listener } from "../../common/listener.ts";
import type { Log } from "../../common/log.ts";
import { keepsBackend, openPool } from "../../common/pool.ts";
import { openSharedConnection } from "../../common/shared_connection.ts";
import { checkRole } from "../../common/startup_checks.ts";
import type { Notifications } from "../notifications.ts";
import { makeAuthoriser } from "./authorise.ts";
import { createKeyedQueue } from "../keyed_queue.ts";
import { createBudget, ownKey } from "./budget.ts";
import { createCostlyQueue, type CostlyQueue } from "./costly_queue.ts";
import { makeDocuments } from "./documents.ts";
import type { Engine } from "./execute.ts";
import { graphqlHandlers } from "./handler.ts";
import { adminsCostly, free, listBounds, usersCostly, usersLongestMs } from "./limits.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { makeAudienceSchema, type Audience } from "./preset.ts";
import { maxWaiting, readFrom, readTogether, type Read } from "./reads.ts";
import type { Settings } from "./statements.ts";
import { socketAddress } from "./socket_address.ts";
import { attachSockets } from "./sockets.ts";
import { createPayerQueue } from "./payer_queue.ts";
import { createTurns } from "./turns.ts";

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
  const authoriser = makeAuthoriser({
    webhookUrl,
    webhookSecret: config.AUTH_WEBHOOK_SECRET,
    adminSecret: config.ADMIN_SECRET,
    log,
  });
  const stop = async () => {
    await authoriser.stop();
    await Promise.all([pool.end(), shared.stop()]);
  };
  const turn = createTurns();
  const budget = createBudget({ msPerSecond: config.GRAPHQL_BUDGET_MS });
  const charge = (freeMs: number) => (settings: Settings, ms: number) =>
    budget.chargeDatabase(settings, ms - freeMs);
  const makeEngine = async (audience: Audience, prepared: boolean): Promise<Engine> => {
    const schema = await makeAudienceSchema(pool, audience);
    const isAdmin = audience === "admin";
    const introspection = isAdmin || config.GRAPHQL_INTROSPECTION;
    // The admin's programs are trusted, and read whole tables.
    const alone = isAdmin
      ? readFrom(pool, prepared)
      : oneByOne(readFrom(pool, prepared, charge(free.readMs)));
    // The admin may ask for all that there is.
    const read = isAdmin ? alone : readTogether(shared, alone, prepared);
    const ms = config.GRAPHQL_STATEMENT_TIMEOUT_MS;
    return {
      audience: schema,
      documents: makeDocuments(schema.schema, { introspection }),
      plans: createPlanCaches(schema.schema),
      lists: listBounds[audience],
      budget,
      turn,
      costly: isAdmin ? adminsQueue() : createCostlyQueue(usersCostly),
      access: { pool, prepared, read, readAlone: alone, ...(!isAdmin && { held: charge(free.mutationsMs) }) },
      longest: { ms, statementMs: isAdmin ? ms : Math.min(ms, usersLongestMs) },
    };
  };
  try {
    await checkRole({ query: pool.query.bind(pool), log, config, mayBecome: requestRoles });
    const prepared = await keepsBackend(pool);
    const [user, admin] = await Promise.all([makeEngine("user", prepared), makeEngine("admin", prepared)]);
    const engines = { user, admin };
    const engine = (audience: Audience) => engines[audience];
    return {
      handlers: graphqlHandlers({ authoriser, engine }),
      attachSockets: (http, listener) =>
        attachSockets(http, {
          ...{ authoriser, engine, listener, log },
          addressOf: socketAddress(config.TRUST_PROXY),
        }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Of each user, or guest session, one read at a time: else one with slow ones would have all connections. */
function oneByOne(read: Read): Read {
  const queue = createKeyedQueue({ perKey: 64, inAll: maxWaiting });
  return (settings, query) => queue.run(ownKey(settings), () => read(settings, query));
}

/** All of them are one payer. */
function adminsQueue(): CostlyQueue {
  const queue = createPayerQueue(adminsCostly.atOnce, adminsCostly.waiting);
  return { run: (_, payer, work) => queue.run(payer, work) };
}
