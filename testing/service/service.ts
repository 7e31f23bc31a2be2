import { migratorConfig, workerConfig, type MigratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { createLog, type Log } from "../../runtime/log.ts";
import { createPrintedMessages } from "../../runtime/printed_messages.ts";
import type { SocketBounds } from "../../graphql/transport/socket_places.ts";
import { startWorker, type RunningWorker } from "../../worker/worker.ts";
import { shared } from "../run/shared.ts";
import { checkAnswersOf } from "./answer_checks.ts";
import { createRestClient, type Client } from "./rest_client.ts";
import { shareSchema } from "./shared_schemas.ts";
import { createTestDatabase, type TestDatabase } from "../postgres/test_database.ts";
import { startServerWithGraphql } from "./server_with_graphql.ts";
import { relyingParty } from "./software_authenticator.ts";
import { startSmsGateway, type SmsGateway } from "../network/sms_gateway.ts";
import { startTcpProxy, type TcpProxy } from "../network/tcp_proxy.ts";

export interface ServiceOptions {
  /** Variables that replace those of the service's environment. */
  env?: Environment;
  /** Default true; false: no worker runs, so no SMS is sent. */
  worker?: boolean;
  log?: Log;
  /** Sends by the console provider, and lets the server see its messages, as npm start does. */
  console?: boolean;
  /** How long an answer may stay unread. */
  stallMs?: number;
  /** How many authorized sockets a server may have open. */
  sockets?: SocketBounds;
  /** The service creates GraphQL's schemas from its own database, which differs from the migrated template. */
  ownSchemas?: boolean;
  /** The database to use, which is not dropped. Default: the service creates one and drops it when it stops. */
  database?: TestDatabase;
}

type Program = "server" | "graphql" | "worker";

export interface RunningServer {
  url: string;
  client: Client;
  /** Where GraphQL's program listens, which this starts. */
  graphqlUrl: () => Promise<string>;
  /** Reads the metrics of a program, with OPERATIONS_PORT=0. */
  metricsOf: (program: Program) => Promise<string>;
  metricsUrlOf: (program: Program) => Promise<string>;
  stop: () => Promise<void>;
}

export interface Service extends RunningServer {
  database: TestDatabase;
  gateway: SmsGateway;
  /** A proxy for the connections of server and worker to the database. */
  proxy: TcpProxy;
  /** Stores a setting with SQL, as a DBA would. */
  set: (key: string, value: unknown) => Promise<void>;
  /** Starts a second server in this process, on the same database. It stops with the service at the latest. */
  startAnotherServer: (env?: Environment) => Promise<RunningServer>;
}

/**
 * Starts the whole service: a server on a free port, a worker, and a gateway that receives the SMS. Rate limits per
 * client address are wide, because every test has the same address. Stopping fails if an answer differed from the
 * OpenAPI document.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const database = options.database ?? (await createTestDatabase());
  const gateway = await startSmsGateway();
  const set = async (key: string, value: unknown) => {
    await database.query(
      `insert into settings.configuration (key, value) values ($1, $2)
       on conflict (key) do update set value = excluded.value`,
      [key, JSON.stringify(value)],
    );
  };
  await set("OTP_PROVIDER", {
    providerToUse: options.console ? "console" : "http",
    template: "{{code}} is your code for {{minutes}} minutes.",
    http: { url: gateway.url },
  });
  for (const key of ["OTP_SEND_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"]) await set(key, "1000/1");
  await set("PASSWORD_HASH_COST", 4);

  const { poolerUrl } = await shared("cluster");
  const proxy = await startTcpProxy(poolerUrl ?? database.superuserUrl);
  const baseEnv = {
    ...database.env,
    ...(poolerUrl === undefined
      ? { DATABASE_URL: proxy.through(database.env.DATABASE_URL ?? "") }
      : pooledUrls(migratorConfig(database.env), proxy)),
    PORT: "0",
    HOST: "127.0.0.1",
    TRUST_PROXY: "loopback",
    // The largest budget, so that a test's requests are not refused on a slow machine.
    GRAPHQL_BUDGET_MS: "1000",
    ...receiptSettings,
    ...passkeySettings,
    ...options.env,
  };
  const log = options.log ?? createLog("test", "silent");
  const printedMessages = options.console ? createPrintedMessages() : undefined;
  const running = new Set<RunningServer>();
  const startOneServer = async (env: Environment = {}): Promise<RunningServer> => {
    const { url, metricsUrl, graphqlUrl, graphqlMetricsUrl, stop } = await startServerWithGraphql(
      { ...baseEnv, ...env },
      log,
      {
        printedMessages,
        stallMs: options.stallMs,
        sockets: options.sockets,
        createSchema: options.ownSchemas ? undefined : shareSchema,
      },
    );
    const failIfAnswersDiffered = checkAnswersOf(url);
    const started: RunningServer = {
      url,
      client: createRestClient(url),
      graphqlUrl,
      async metricsUrlOf(program) {
        const from = { server: metricsUrl, worker: worker?.metricsUrl, graphql: undefined };
        return from[program] ?? (await graphqlMetricsUrl()) ?? "";
      },
      metricsOf: async (program) => (await fetch(await started.metricsUrlOf(program))).text(),
      async stop() {
        running.delete(started);
        await stop();
        failIfAnswersDiffered();
      },
    };
    running.add(started);
    return started;
  };
  let worker: RunningWorker | undefined;
  const server = await startOneServer();
  if (options.worker !== false) worker = await startWorker(workerConfig(baseEnv), log, printedMessages?.add);
  return {
    url: server.url,
    client: server.client,
    graphqlUrl: server.graphqlUrl,
    metricsOf: server.metricsOf,
    metricsUrlOf: server.metricsUrlOf,
    database,
    gateway,
    proxy,
    set,
    startAnotherServer: startOneServer,
    async stop() {
      // Also the servers that a test has not stopped, whose answers nobody would check otherwise.
      const stopped = await Promise.allSettled([...running].map((each) => each.stop()));
      await worker?.stop();
      await gateway.stop();
      await proxy.stop();
      if (!options.database) await database.drop();
      for (const each of stopped) if (each.status === "rejected") throw each.reason;
    },
  };
}

/** With these variables the server accepts every vendor's delivery receipts. */
export const receiptSettings = {
  PUBLIC_URL: "https://auth.example.com",
  TWILIO_AUTH_TOKEN: "a token of Twilio",
  VONAGE_SIGNATURE_SECRET: "a secret of Vonage",
  SMS_HTTP_SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
};

/** With these variables the server takes the passkeys of software_authenticator.ts. */
const passkeySettings = { WEBAUTHN_RP_ID: relyingParty.rpId, WEBAUTHN_ORIGINS: relyingParty.origin };

/** With a pooler, REST and GraphQL connect through it; LISTEN and the queue need sessions and connect directly. */
function pooledUrls({ SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL }: MigratorConfig, proxy: TcpProxy): Environment {
  return {
    SERVER_DATABASE_URL: proxy.through(SERVER_DATABASE_URL),
    SERVER_DATABASE_DIRECT_URL: SERVER_DATABASE_URL,
    GRAPHQL_DATABASE_URL: proxy.through(GRAPHQL_DATABASE_URL),
    GRAPHQL_DATABASE_DIRECT_URL: GRAPHQL_DATABASE_URL,
  };
}
