import { inject } from "vitest";
import { migratorConfig, serverConfig, workerConfig, type MigratorConfig } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { makeLog, type Log } from "../runtime/log.ts";
import { startServer } from "../server/server.ts";
import { startWorker } from "../worker/worker.ts";
import { makeClient, type Client } from "./client.ts";
import { makeDatabase, type TestDatabase } from "./test_database.ts";
import { startSmsGateway, type SmsGateway } from "./sms_gateway.ts";
import { startTcpProxy, type TcpProxy } from "./tcp_proxy.ts";

export interface Service {
  url: string;
  client: Client;
  database: TestDatabase;
  gateway: SmsGateway;
  /** Between the service and its database. */
  proxy: TcpProxy;
  /** Changes a setting as a DBA would. */
  set: (key: string, value: unknown) => Promise<void>;
  /** Another server process's worth, on the same database. */
  startAnotherServer: (
    env?: Environment,
  ) => Promise<{ url: string; client: Client; stop: () => Promise<void> }>;
  stop: () => Promise<void>;
}

/**
 * The whole service on a database of its own: a server on a free port, a worker unless told otherwise, and a gateway
 * that receives the SMS. Limits by client address are wide: every test comes from one address.
 */
export async function startService(
  given: { env?: Environment; worker?: boolean; log?: Log } = {},
): Promise<Service> {
  const database = await makeDatabase();
  const gateway = await startSmsGateway();
  const set = async (key: string, value: unknown) => {
    await database.query(
      `insert into settings.configuration (key, value) values ($1, $2)
       on conflict (key) do update set value = excluded.value`,
      [key, JSON.stringify(value)],
    );
  };
  await set("OTP_PROVIDER", {
    providerToUse: "http",
    template: "{{code}} is your code for {{minutes}} minutes.",
    http: { url: gateway.url },
  });
  for (const key of ["OTP_SEND_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"]) await set(key, "1000/1");
  await set("PASSWORD_HASH_COST", 4);

  const { poolerUrl } = inject("cluster");
  const proxy = await startTcpProxy(poolerUrl ?? database.superuserUrl);
  const env = {
    ...database.env,
    ...(poolerUrl === undefined
      ? { DATABASE_URL: proxy.through(database.env.DATABASE_URL ?? "") }
      : pooledUrls(migratorConfig(database.env), proxy)),
    PORT: "0",
    HOST: "127.0.0.1",
    TRUST_PROXY: "loopback",
    // No request can take more than all of the time: what a test may ask does not depend on the machine.
    GRAPHQL_BUDGET_MS: "1000",
    ...given.env,
  };
  const log = given.log ?? makeLog("test", "silent");
  const start = async (changed: Environment = {}) => {
    const server = await startServer(serverConfig({ ...env, ...changed }), log);
    return { ...server, client: makeClient(server.url) };
  };
  const server = await start();
  const worker = given.worker === false ? undefined : await startWorker(workerConfig(env), log);
  return {
    url: server.url,
    client: server.client,
    database,
    gateway,
    proxy,
    set,
    startAnotherServer: start,
    async stop() {
      await server.stop();
      await worker?.stop();
      await gateway.stop();
      await proxy.stop();
      await database.drop();
    },
  };
}

/** Behind a pooler: what goes through it, and what needs sessions and goes past it. */
function pooledUrls(
  { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL }: MigratorConfig,
  proxy: TcpProxy,
): Environment {
  return {
    SERVER_DATABASE_URL: proxy.through(SERVER_DATABASE_URL),
    SERVER_DATABASE_DIRECT_URL: SERVER_DATABASE_URL,
    GRAPHQL_DATABASE_URL: proxy.through(GRAPHQL_DATABASE_URL),
    GRAPHQL_DATABASE_DIRECT_URL: GRAPHQL_DATABASE_URL,
  };
}
