import "./hasura/graphile_env.ts";
import type { RequestListener } from "node:http";
import type { GraphqlConfig } from "../config/config.ts";
import { tlsWarnings } from "../config/database_url.ts";
import { migrationNames } from "../db/sql_files.ts";
import { clientAddress } from "../http/client_address.ts";
import type { Upgrade } from "../http/http_service.ts";
import { openMetrics, serveOperations } from "../http/operations.ts";
import { createReadiness } from "../http/readiness.ts";
import { createUpgradeReader } from "../http/upgrade_address.ts";
import { startListener } from "../runtime/database/listener.ts";
import type { Log } from "../runtime/log.ts";
import { notifications, tableNotifications } from "../runtime/database/notifications.ts";
import { openPipelinedConnection } from "../runtime/database/pipeline.ts";
import { createPoolRenewal, keepsBackend, openPool } from "../runtime/database/pool.ts";
import { pipelineState, poolState } from "../runtime/database/pool_metrics.ts";
import { openTraces } from "../runtime/traces.ts";
import { createApp } from "./app.ts";
import { checkApplicationSchemas } from "./application_schemas.ts";
import { createAuthorizer } from "./authorization/authorizer.ts";
import type { Audience, CallerClass } from "./authorization/caller.ts";
import { createSessions } from "./authorization/sessions.ts";
import { checkStart } from "./check_start.ts";
import { createEngines, type CreateSchema } from "./engine/engines.ts";
import { findLiveTables } from "./live_tables.ts";
import { createGraphqlMetrics } from "./metrics.ts";
import { poolSizes } from "./request_limits.ts";
import { createGraphqlHandler } from "./transport/handler.ts";
import type { SocketBounds } from "./transport/socket_places.ts";
import { createSockets } from "./transport/sockets.ts";

export interface Graphql {
  /** Where the metrics are, if OPERATIONS_PORT is set. */
  metricsUrl: string | undefined;
  handler: RequestListener;
  upgrade: Upgrade;
  /** From now on it is not ready. */
  beginStop: () => void;
  closeSockets: () => Promise<void>;
  /** Closes the connections, once no request is in flight. */
  stop: () => Promise<void>;
}

/** For tests. */
export interface Bounds {
  /** How long a request waits for a connection; default 2,000. */
  connectionTimeoutMs?: number | undefined;
  /** How many sockets may be open. */
  sockets?: SocketBounds | undefined;
  createSchema?: CreateSchema | undefined;
}

const checkEveryMs = 2_000;

/**
 * Opens GraphQL's connections, creates its schemas, and the handlers of its requests and sockets.
 * @throws OperatorError if something is wrong with the database or its addresses, and any error of node-pg
 */
export async function createGraphql(config: GraphqlConfig, log: Log, bounds: Bounds = {}): Promise<Graphql> {
  for (const warning of tlsWarnings(config)) log.warn(warning);
  const { GRAPHQL_DATABASE_URL, GRAPHQL_POOL_SIZE, GRAPHQL_STATEMENT_TIMEOUT_MS, directUrl } = config;
  const options = {
    connectionString: GRAPHQL_DATABASE_URL,
    connectionTimeoutMillis: bounds.connectionTimeoutMs ?? 2_000,
  };
  const sizes = poolSizes(GRAPHQL_POOL_SIZE);
  const openClassPool = (callerClass: CallerClass) =>
    openPool(
      {
        ...options,
        application_name: `latchkey graphql ${callerClass}`,
        max: sizes[callerClass],
        // Recycling a connection frees its prepared statements, so that no client can exhaust them permanently.
        maxLifetimeSeconds: 3_600,
        // Sends the first statement of a transaction without waiting for the result of BEGIN.
        pipeline: true,
        // Longer than the statement time-out: it ends a call whose connection was dropped silently.
        query_timeout: GRAPHQL_STATEMENT_TIMEOUT_MS + 5_000,
      },
      log,
    );
  const pools = {
    guests: openClassPool("guests"),
    users: openClassPool("users"),
    admin: openClassPool("admin"),
  };
  const renewals = Object.values(pools).map(createPoolRenewal);
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
    webhookUrl: config.AUTH_WEBHOOK_URL,
    webhookSecret: config.AUTH_WEBHOOK_SECRET,
    adminSecrets: config.adminSecrets,
    database: createSessions(pools.admin),
    log,
  });
  const closing: (() => unknown)[] = [
    authorizer.stop,
    () => shared.stop(),
    ...Object.values(pools).map((pool) => () => pool.end()),
  ];
  const stop = async () => {
    for (const close of closing.splice(0)) await close();
  };
  try {
    const traces = await openTraces(log);
    const metrics = await openMetrics(config.operations, "graphql");
    const graphqlMetrics = metrics && createGraphqlMetrics(metrics);
    await checkStart(config, startupPool.query.bind(startupPool), log);
    await checkApplicationSchemas({ query: startupPool.query.bind(startupPool), config });
    const application = {
      schemas: config.GRAPHQL_SCHEMAS,
      live: await findLiveTables(startupPool.query.bind(startupPool), config.GRAPHQL_SCHEMAS),
    };
    const prepareStatements = await keepsBackend(startupPool);
    const listener = await startListener(
      { url: directUrl, variable: "GRAPHQL_DATABASE_DIRECT_URL" },
      { ...notifications, ...tableNotifications },
      log,
    );
    closing.unshift(listener.stop);
    const engines = await createEngines({
      config,
      application,
      pools,
      shared,
      prepareStatements,
      createSchema: bounds.createSchema,
      introspectionPool: startupPool,
    });
    const engineOf = (audience: Audience) => engines[audience];
    // Reads never fail on a standby, so a connection would stay on it after a failover.
    const renewReads = () => {
      for (const renew of renewals) renew();
      shared.renew();
    };
    listener.onReconnect(renewReads);
    const migration = migrationNames().at(-1);
    const check = async () => {
      const { rows } = await shared.query<{ failed: string[] }>({
        text: "select failed from api.check_readiness($1)",
        values: [migration],
      });
      return { failed: rows[0]?.failed ?? [], undelivered: [] };
    };
    const readiness = createReadiness({ check, renewReads, listener, log });
    // Behind the server nobody probes this process, and a failover shows only in a check.
    const checking = setInterval(() => void readiness.failed(), checkEveryMs).unref();
    closing.unshift(() => clearInterval(checking));
    const readUpgrade = createUpgradeReader(config.GRAPHQL_TRUST_PROXY);
    const sockets = createSockets({
      authorizer,
      engineOf,
      listener,
      log,
      observe: graphqlMetrics?.observeSockets,
      bounds: bounds.sockets,
      addressOf: (request) => clientAddress(readUpgrade(request).ip),
    });
    graphqlMetrics?.measure({
      pools: () => [
        ...Object.entries(pools).map(([name, pool]) => poolState(name, pool)),
        pipelineState("shared", shared),
      ],
      sockets: sockets.counts,
    });
    const operations = metrics && config.operations && (await serveOperations(metrics, config.operations));
    if (operations) closing.unshift(operations.stop);
    return {
      metricsUrl: operations?.url,
      handler: createApp({
        config,
        log,
        observers: { observe: graphqlMetrics?.observeRequest, traces },
        readiness,
        userSchema: engines.user.audience.schema,
        execute: createGraphqlHandler({ authorizer, engineOf, onChange: graphqlMetrics?.observeChange }),
      }),
      upgrade: sockets.upgrade,
      beginStop: readiness.stop,
      closeSockets: sockets.stop,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await startupPool.end();
  }
}
