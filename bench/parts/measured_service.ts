import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { migrate } from "../../db/migrate.ts";
import {
  ensureDatabase,
  freePort,
  readPostmasterFile,
  type RunningPostgres,
  startPostgres,
  viaSocket,
} from "../../embedded/index.ts";
import { createRestClient, type Client } from "../../testing/service/rest_client.ts";
import { startSmsGateway, type SmsGateway } from "../../testing/network/sms_gateway.ts";
import { databaseOf } from "../../testing/postgres/urls.ts";
import { startProcess, startServerProcess, startWorkerProcess, urlOf, type Process } from "./started_process.ts";

/** A program that listens, and the processes whose CPU its requests take. */
export interface Listening {
  url: string;
  pids: { program: number; postgres: number; graphql?: number };
}

export interface MeasuredService extends Listening {
  pids: Required<Listening["pids"]>;
  client: Client;
  gateway: SmsGateway;
  postgres: RunningPostgres;
  worker: Process;
  env: Environment;
  /** Starts another program on the superuser's own database, It ends with the service. */
  start: (program: string, ready: string, env?: Environment) => Promise<Process>;
  /** Starts another server process, with a GraphQL process of its own, on the same database. */
  startServer: (env: Environment) => Promise<Listening>;
  /** Starts floor_server.ts. */
  startFloor: () => Promise<Listening>;
  /** Runs a statement as superuser, in the service's database or in the superuser's own. */
  query: (text: string, values?: unknown[]) => Promise<unknown>;
  superuserQuery: (text: string, values?: unknown[]) => Promise<unknown>;
  /** Sets settings of the service. */
  set: (settings: Record<string, unknown>) => Promise<void>;
  stop: () => Promise<void>;
}

/** The setting by which messages go to the gateway at this URL; they begin with the code. */
export const providerAt = (url: string) => ({
  providerToUse: "http",
  template: "{{code}} {{minutes}}",
  http: { url },
});

/** Limits that one client of a benchmark does not reach. */
export const wideLimits = {
  OTP_SEND_PER_IP: "1000/1",
  OTP_VERIFY_PER_IP: "1000/1",
  REGISTER_PER_IP: "1000/1",
};

/**
 * Starts a server and a worker as child processes, on an embedded PostgreSQL that flushes to disk as npm start does.
 */
export async function startMeasuredService(
  serverEnv: Environment = {},
  workerEnv: Environment = {},
): Promise<MeasuredService> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-bench-"));
  chmodSync(home, 0o711);
  const postgres = await startPostgres({ home, durable: true });
  const database = { role: "latchkey_migrator", password: "bench", database: "latchkey" };
  const DATABASE_URL = viaSocket(await ensureDatabase(postgres, database), postgres.socketFolder);
  const gateway = await startSmsGateway();
  const OTP_PROVIDER = JSON.stringify(providerAt(gateway.url));
  const env: Environment = {
    LATCHKEY_HOME: home,
    LOG_LEVEL: "warn",
    DATABASE_URL,
    OTP_PROVIDER,
    ...wideLimits,
  };
  await migrate(migratorConfig(env));

  const postmaster = readPostmasterFile(join(home, "postgres-18", "data"))?.pid ?? 0;
  const children: Process[] = [];
  const keep = (child: Process) => {
    children.push(child);
    return child;
  };
  const listening = (child: Process): Listening => ({
    url: urlOf(child),
    pids: { program: child.pid, postgres: postmaster },
  });
  /** Server and GraphQL call each other, so one of the ports is chosen before both start. */
  async function startServer(more: Environment) {
    const port = await freePort();
    const AUTH_WEBHOOK_URL = `http://127.0.0.1:${port}/api/v1/auth/webhook/authorize`;
    const graphqlEnv = { ...env, ...more, GRAPHQL_PORT: "0", AUTH_WEBHOOK_URL };
    const graphql = keep(await startProcess("graphql/main.ts", "GraphQL is listening", graphqlEnv));
    const serverEnv = { ...env, ...more, GRAPHQL_UPSTREAM: urlOf(graphql) };
    const { url, pids } = listening(keep(await startServerProcess(serverEnv, port)));
    return { url, pids: { program: pids.program, graphql: graphql.pid, postgres: postmaster } };
  }
  const server = await startServer(serverEnv);
  const worker = keep(await startWorkerProcess({ ...env, ...workerEnv }));
  const floorEnv = {
    DATABASE_URL: viaSocket(postgres.superuserUrl, postgres.socketFolder),
    LOGIN_CONNECTIONS: String(availableParallelism()),
  };
  const start: MeasuredService["start"] = async (program, ready, more = {}) =>
    keep(await startProcess(program, ready, { ...floorEnv, ...more }));

  const pool = new pg.Pool({ connectionString: databaseOf(postgres.superuserUrl, "latchkey"), max: 1 });
  const superuserPool = new pg.Pool({ connectionString: floorEnv.DATABASE_URL, max: 1 });
  for (const each of [pool, superuserPool]) each.on("error", () => undefined);
  return {
    ...server,
    env,
    gateway,
    postgres,
    worker,
    start,
    client: createRestClient(server.url),
    startServer: (more) => startServer(more),
    startFloor: async () => listening(await start("bench/parts/floor_server.ts", "url")),
    query: (text, values) => pool.query(text, values),
    superuserQuery: (text, values) => superuserPool.query(text, values),
    async set(settings) {
      for (const [key, value] of Object.entries(settings))
        await pool.query(
          `insert into settings.configuration (key, value) values ($1, $2)
           on conflict (key) do update set value = excluded.value`,
          [key, JSON.stringify(value)],
        );
    },
    async stop() {
      for (const child of children) if (!child.hasEnded()) await child.stop();
      await gateway.stop();
      await pool.end();
      await superuserPool.end();
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
