import type { ServerConfig } from "../config/config.ts";
import { tlsWarnings } from "../config/database_url.ts";
import { issuerWarnings } from "../config/issuer.ts";
import { startListener } from "../runtime/database/listener.ts";
import type { Log } from "../runtime/log.ts";
import { OperatorError } from "../runtime/operator_error.ts";
import { openTraces } from "../runtime/traces.ts";
import type { PrintedMessages } from "../runtime/printed_messages.ts";
import { checkAddresses } from "../db/checks/address_checks.ts";
import { checkConnections } from "../db/checks/connection_check.ts";
import { startMarking } from "../db/checks/restore_check.ts";
import { checkDatabase } from "../db/checks/startup_checks.ts";
import type { SealedSigningKey } from "../config/secrets/sealed_signing_keys.ts";
import { createApp } from "./app.ts";
import { createServerMetrics } from "./metrics.ts";
import { api } from "./database/api_functions.ts";
import { openDatabase, type Database, type DatabaseOptions } from "./database/database.ts";
import { isCurrentUnopened, openKeyRing, type KeyRing } from "./tokens/live_keys.ts";
import { createPasswordCalls } from "./passwords/password_calls.ts";
import { watchDeliveries } from "./rest/deliveries.ts";
import { migrationNames } from "../db/sql_files.ts";
import { createReadiness } from "../http/readiness.ts";
import { notifications } from "../runtime/database/notifications.ts";
import { serveHttp } from "../http/http_service.ts";
import { openMetrics, serveOperations } from "../http/operations.ts";
import { ownHost } from "../http/listen.ts";
import { webhookPath } from "../http/paths.ts";
import { forwardGraphql, type GraphqlUpstream } from "./http/graphql_forward.ts";

export interface RunningServer {
  url: string;
  /** What a process of this machine calls to authorize GraphQL's requests. */
  webhookUrl: string;
  /** Where the metrics are, if OPERATIONS_PORT is set. */
  metricsUrl: string | undefined;
  /** Serves for another DRAIN_DELAY_MS, not ready and closing connections, then waits for the requests in flight. */
  stop: () => Promise<void>;
}

/** How long calls and answers may take. */
interface Bounds extends Pick<DatabaseOptions, "connectionTimeoutMs" | "longestMs"> {
  stallMs?: number | undefined;
}

interface Parts {
  /** The messages that a worker in this process prints, for the page /demo. */
  printedMessages?: PrintedMessages | undefined;
  /** GraphQL's program, if it is not the one of GRAPHQL_UPSTREAM. */
  graphql?: GraphqlUpstream | undefined;
  /** For tests. */
  bounds?: Bounds;
}

/**
 * Serves until stopped. Listens for deliveries before it takes the first request.
 * @throws OperatorError if something is wrong with the database or its addresses
 */
export async function startServer(
  config: ServerConfig,
  log: Log,
  { printedMessages, graphql = upstreamOf(config), bounds = {} }: Parts = {},
): Promise<RunningServer> {
  // Open resources. They are closed in the opposite order.
  const resources: { stop: () => Promise<void> | void }[] = [];
  const closeAll = async () => {
    for (const { stop } of resources.splice(0).reverse()) await stop();
  };
  try {
    for (const warning of [...tlsWarnings(config), ...issuerWarnings(config)]) log.warn(warning);
    const traces = await openTraces(log);
    const metrics = await openMetrics(config.operations, "server");
    const serverMetrics = metrics && createServerMetrics(metrics);
    const database = openDatabase(config.SERVER_DATABASE_URL, log, {
      fast: config.SERVER_POOL_SIZE,
      password: config.PASSWORD_POOL_SIZE,
      connectionTimeoutMs: bounds.connectionTimeoutMs,
      longestMs: bounds.longestMs,
      batches: !config.OPTIMIZATIONS_OFF.has("batch"),
      pipelines: !config.OPTIMIZATIONS_OFF.has("authorize_pipeline"),
      observe: serverMetrics?.observeCalls,
      traces,
    });
    resources.push(database);
    await checkDatabase({
      query: database.query,
      schema: "api",
      variable: "SERVER_DATABASE_URL",
      log,
      config,
    });
    await checkAddresses({
      query: database.query,
      log,
      config,
      primary: "SERVER_DATABASE_URL",
      addresses:
        config.directUrl === config.SERVER_DATABASE_URL
          ? []
          : [{ variable: "SERVER_DATABASE_DIRECT_URL", url: config.directUrl }],
    });
    await database.prepareStatements();
    // One more connection listens.
    await checkConnections({ query: database.query, log, connections: database.maxConnections + 1 });
    const listener = await startListener(
      { url: config.directUrl, variable: "SERVER_DATABASE_DIRECT_URL" },
      notifications,
      log,
    );
    resources.push(listener);
    resources.push(await startMarking({ query: database.query, log }));
    const ring = await openSigningKeys(config, database.query, log);
    resources.push(ring);
    listener.on("signing_keys_changed", () => void ring.reload());
    listener.onReconnect(() => void ring.reload());
    const deliveries = watchDeliveries(listener);
    const migration = migrationNames().at(-1) ?? "";
    const check = async () => {
      const { data } = await database.call(api.check_readiness, { migration });
      const { failed, undelivered } = data ?? { failed: [], undelivered: [] };
      return { failed: [...failed, ...(isCurrentUnopened(ring.unopened()) ? ["signing_key"] : [])], undelivered };
    };
    // LISTEN fails on a standby, so it works again only on a primary. Connections that read may have been opened on the
    // standby meanwhile.
    listener.onReconnect(database.renewReads);
    const readiness = createReadiness({ check, renewReads: database.renewReads, listener, log });
    const passwords = createPasswordCalls(database, config);
    resources.push(passwords);
    const forward = graphql && forwardGraphql(graphql, config.TRUST_PROXY);
    serverMetrics?.measure({ database, passwords, sockets: () => forward?.socketCount() ?? 0 });
    const operations = metrics && config.operations && (await serveOperations(metrics, config.operations));
    if (operations) resources.push(operations);
    const app = createApp({
      config,
      log,
      keys: ring.keys,
      unopenedKeys: ring.unopened,
      database,
      deliveries,
      readiness,
      passwords,
      printedMessages,
      graphql: forward,
      observers: { observe: serverMetrics?.observeRequest, traces },
    });
    const http = await serveHttp(app, {
      address: config,
      upgrade: forward?.upgrade,
      stallMs: bounds.stallMs,
    });
    return {
      url: `http://localhost:${http.port}`,
      metricsUrl: operations?.url,
      webhookUrl: `http://${ownHost(config.HOST)}:${http.port}${webhookPath}`,
      async stop() {
        readiness.stop();
        const closeSockets = async () => forward?.stop();
        await http.stop(config.DRAIN_DELAY_MS, closeSockets, () => deliveries.release());
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** @throws OperatorError if a key cannot be opened, or none signs */
async function openSigningKeys(
  { JWT_KEYS: own, encryptionKeys }: ServerConfig,
  query: Database["query"],
  log: Log,
): Promise<KeyRing> {
  // Without KEY_ENCRYPTION_KEY the keys of the database are none of this server's.
  const read = async () =>
    encryptionKeys.length === 0
      ? []
      : (await query<SealedSigningKey & { state: string }>("select * from startup.signing_keys()")).rows;
  const confirm = (kids: string[]) => query("select startup.confirm_signing_keys($1)", [kids]);
  const ring = await openKeyRing({ own, encryptionKeys, read, confirm, log }).catch((error: unknown) => {
    throw new OperatorError(`The server cannot start: ${(error as Error).message}.`);
  });
  const rows = own.length > 0 ? [] : await read();
  if (own.length > 0 || rows.some(({ state }) => state === "current")) return ring;
  ring.stop();
  throw new OperatorError(
    "No key signs tokens: run npm run keys -- generate and npm run keys -- promote --now, or set JWT_KEYS (docs/operations.md).",
  );
}

/** The program that GRAPHQL_UPSTREAM names. `start` is for npm start, which passes its own. */
function upstreamOf({ GRAPHQL_UPSTREAM: upstream }: ServerConfig): GraphqlUpstream | undefined {
  if (upstream === "start")
    throw new OperatorError(
      "GRAPHQL_UPSTREAM=start is for npm start: run npm run graphql, and set GRAPHQL_UPSTREAM to its address.",
    );
  return upstream === undefined || upstream === "off" ? undefined : { url: () => upstream };
}
