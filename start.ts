import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  graphqlEnvironmentOf,
  migratorConfig,
  requireValidEnvironment,
  serverConfig,
  workerConfig,
  type ServerConfig,
} from "./config/config.ts";
import { OperatorError, refuseArguments, runMain } from "./runtime/operator_error.ts";
import { runChildProgram, type ChildProgram } from "./runtime/child_program.ts";
import { isSet, readSecretFiles, type Environment } from "./config/environment.ts";
import { loadOrCreateSecret, randomSecret } from "./config/secrets/secret_store.ts";
import { localRelyingParty } from "./config/webauthn.ts";
import { openLog } from "./runtime/log.ts";
import { createPrintedMessages } from "./runtime/printed_messages.ts";
import { stopOnSignals } from "./runtime/signals.ts";
import { migrate } from "./db/migrate.ts";
import { PepperError } from "./db/checks/startup_checks.ts";
import {
  ensureDatabase,
  prepareHome,
  type RunningPostgres,
  startPostgres,
  subfolders,
  viaSocket,
} from "./embedded/index.ts";
import { startServer } from "./server/server.ts";
import { startWorker } from "./worker/worker.ts";

/** As in npm run graphql: documents that never repeat would let V8 grow the heap beyond 400 MB. */
const graphqlFlags = ["--heap-growing-percent=100", "--max-semi-space-size=4"];

/**
 * npm start: migrates the database, then runs the server and the worker in this process, and GraphQL in a child
 * process. Uses DATABASE_URL, or an embedded PostgreSQL if that is not set.
 */
await runMain(async () => {
  refuseArguments();
  if (process.env.NODE_ENV === "production" && !isSet(process.env, "DATABASE_URL")) {
    throw new OperatorError("DATABASE_URL is not set: with NODE_ENV=production npm start runs no embedded PostgreSQL.");
  }
  const home = prepareHome(process.env);
  requirePepper(process.env, home);
  requireValidEnvironment(process.env, "postgres://latchkey_migrator@127.0.0.1/latchkey");
  // The console provider prints codes to the terminal; info lines of the log would hide them.
  const env: Environment = {
    LOG_LEVEL: "warn",
    ...readSecretFiles(process.env),
    ...localRelyingParty(process.env),
  };
  const postgres = env.DATABASE_URL ? undefined : await startPostgres({ home, durable: true });
  /** In the order in which they are called. */
  const stopFunctions: (() => Promise<void>)[] = postgres ? [postgres.stop] : [];
  let stopping: Promise<void> | undefined;
  const stopEach = async () => {
    for (const stop of stopFunctions) await stop();
  };
  const stopAll = () => (stopping ??= stopEach());
  if (postgres)
    void postgres.exited.then(() => {
      if (!stopping) endWithout(postgres);
    });
  try {
    if (postgres) env.DATABASE_URL = await createEmbeddedDatabase(postgres, home);
    // Nobody else uses the embedded database, so lost passwords may be replaced.
    await migrate({ ...migratorConfig(env), ...(postgres && { derivedAddresses: [] }) });

    const config = serverConfig(env);
    const log = openLog("latchkey", config);
    stopOnSignals(log, stopAll, config.DRAIN_DELAY_MS);
    // Worker and server are one process here, so /demo can show the SMS that the console provider prints.
    const printedMessages = config.DEMO && !config.production ? createPrintedMessages() : undefined;
    const worker = await startWorker(workerConfig(env), log, printedMessages?.add);
    stopFunctions.unshift(worker.stop);
    let graphql: ChildProgram | undefined;
    const runsGraphql = (config.GRAPHQL_UPSTREAM ?? "start") === "start";
    const server = await startServer(config, log, {
      printedMessages,
      ...(runsGraphql && { graphql: { url: () => graphql?.url(), stop: async () => graphql?.stop() } }),
    });
    // The server stops before the worker: a request that waits for its SMS still needs the worker.
    stopFunctions.unshift(server.stop);
    if (runsGraphql)
      graphql = await runChildProgram(
        join(import.meta.dirname, "graphql", "main.ts"),
        graphqlFlags,
        {
          AUTH_WEBHOOK_URL: server.webhookUrl,
          GRAPHQL_PORT: "0",
          ...graphqlEnvironmentOf(env),
          // Only the server reaches it, which drains before it stops.
          DRAIN_DELAY_MS: "0",
        },
        log,
      );
    const metrics = [server.metricsUrl, graphql?.metricsUrl(), worker.metricsUrl].filter((url) => url !== undefined);
    printWelcome({ url: server.url, metrics, home, postgres, config });
  } catch (error) {
    // What a signal stops while it starts fails, and is no fault.
    if (stopping) return stopping;
    await stopAll();
    throw postgres && error instanceof PepperError ? embeddedPepperError(error.fault, home, error) : error;
  }
});

/** With a new pepper, which would be created, nobody could sign in to the embedded database. */
function requirePepper(env: Environment, home: string): void {
  if (isSet(env, "DATABASE_URL") || isSet(env, "HASH_PEPPER")) return;
  if (subfolders(home, "postgres-").length === 0 || existsSync(pepperFile(home))) return;
  throw embeddedPepperError("HASH_PEPPER is missing: this database's passwords were hashed with it.", home);
}

function pepperFile(home: string): string {
  return join(home, "secrets", "HASH_PEPPER");
}

/** The remedy for other databases is SQL, and by the time when somebody reads this the embedded one has stopped. */
function embeddedPepperError(fault: string, home: string, cause?: unknown): OperatorError {
  return new OperatorError(
    `${fault} Put the one that belongs to the database into ${pepperFile(home)} or into the environment. ` +
      `If it is lost, delete ${home} to begin with an empty database.`,
    { cause },
  );
}

/** At once: without its database nothing can be finished, and the next npm start may already run on the same folder. */
function endWithout(postgres: RunningPostgres): void {
  console.error(
    `PostgreSQL has ended unexpectedly, so Latchkey ends too: see ${postgres.log}, then run npm start again. Committed data are kept.`,
  );
  process.exit(1);
}

/**
 * Creates the database and the role that owns and migrates it: as elsewhere, not a superuser. Returns the role's URL.
 */
async function createEmbeddedDatabase(postgres: RunningPostgres, home: string): Promise<string> {
  const password = loadOrCreateSecret(home, "latchkey_migrator.password", randomSecret);
  const url = await ensureDatabase(postgres, { role: "latchkey_migrator", password, database: "latchkey" });
  // For psql. Written at each start, because the port may change.
  writeFileSync(join(home, "secrets", "DATABASE_URL"), url, { mode: 0o600 });
  return viaSocket(url, postgres.socketFolder);
}

interface Welcome {
  url: string;
  /** Of server, GraphQL and worker. */
  metrics: string[];
  home: string;
  postgres: RunningPostgres | undefined;
  config: Pick<ServerConfig, "CONSOLE" | "DEMO">;
}

function printWelcome({ url, metrics, home, postgres, config }: Welcome): void {
  const database = postgres
    ? `PostgreSQL on port ${postgres.port}: psql "$(cat ${join(home, "secrets", "DATABASE_URL")})"`
    : "the one that DATABASE_URL names";
  const given = ["ADMIN_SECRET", "ADMIN_SECRETS"].filter((name) => isSet(process.env, name));
  const adminSecret = given.length
    ? `the one in ${given.join(" or ")}`
    : `cat ${join(home, "secrets", "ADMIN_SECRET")}`;
  const metricsLine = metrics.length > 0 ? `\n  metrics   ${metrics.join(" ")}` : "";
  const consoles = config.CONSOLE ? `\n  consoles  ${url}/admin for operators, ${url}/console for GraphQL` : "";
  console.log(`Latchkey is listening on ${url}
  try       ${config.DEMO ? `${url}/demo` : `curl ${url}/api/v1/health`}
  docs      ${url}/docs${consoles}${metricsLine}
  admin     the secret of role admin: ${adminSecret}
  database  ${database}
  data and secrets (admin secret, keys, pepper) are in ${home}
  SMS of the console provider appear below. Ctrl-C stops everything.`);
}
