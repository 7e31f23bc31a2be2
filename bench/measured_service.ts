import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import packageJson from "../package.json" with { type: "json" };
import { migratorConfig } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, type RunningPostgres, startPostgres, viaSocket } from "../embedded/index.ts";
import pg from "pg";
import { databaseOf } from "../testing/urls.ts";
import { startSmsGateway, type SmsGateway } from "../testing/sms_gateway.ts";
import { createRestClient, type Client } from "../testing/rest_client.ts";

/** Node's flags in `npm run server`. */
export const flags = packageJson.scripts.server.split(" ").slice(2, -1);

export interface StartedServer {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

export interface MeasuredService {
  url: string;
  client: Client;
  gateway: SmsGateway;
  postgres: RunningPostgres;
  serverPid: number;
  workerPid: number;
  /** The baseline: see bare_server.ts. */
  bare: { url: string; pid: number };
  /** Starts bare_worker.ts and returns its process id. */
  startBareWorker: () => Promise<number>;
  postgresPid: number;
  env: Environment;
  /** Starts another server process on the same database. Default flags: those of `npm run server`. */
  startServer: (env: Environment, nodeFlags?: string[]) => Promise<StartedServer>;
  /** Runs a statement as superuser. */
  query: (text: string, values?: unknown[]) => Promise<unknown>;
  stop: () => Promise<void>;
}

/** Ends a child process, unless it has ended before. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Starts a server, a worker and the baseline as child processes, on an embedded PostgreSQL that flushes to disk as npm start does. */
export async function startMeasuredService(
  serverEnv: Environment = {},
  serverFlags = flags,
): Promise<MeasuredService> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-bench-"));
  chmodSync(home, 0o711);
  const postgres = await startPostgres({ home, durable: true });
  const database = { role: "latchkey_migrator", password: "bench", database: "latchkey" };
  const DATABASE_URL = viaSocket(await ensureDatabase(postgres, database), postgres.socketFolder);
  const gateway = await startSmsGateway();
  const OTP_PROVIDER = JSON.stringify({
    providerToUse: "http",
    template: "{{code}} {{minutes}}",
    http: { url: gateway.url },
  });
  const wide = Object.fromEntries(
    ["OTP_SEND_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"].map((name) => [name, "1000/1"]),
  );
  const env = { LATCHKEY_HOME: home, LOG_LEVEL: "warn", DATABASE_URL, OTP_PROVIDER, PORT: "0", ...wide };
  await migrate(migratorConfig(env));

  const children: ChildProcess[] = [];
  const start = async (
    program: string,
    ready: string,
    more: Environment = {},
    nodeFlags = flags,
  ): Promise<{ child: ChildProcess; line: string }> => {
    const child = spawn(process.execPath, [...nodeFlags, program], {
      cwd: join(import.meta.dirname, ".."),
      env: { ...env, LOG_LEVEL: "info", ...more },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    let line = "";
    for await (line of createInterface(child.stdout)) if (line.includes(ready)) break;
    if (process.env.SHOW_LOG) child.stdout.pipe(process.stderr);
    else child.stdout.resume();
    return { child, line };
  };
  const startServer = async (more: Environment, nodeFlags = flags) => {
    const { child, line } = await start("server/main.ts", "listening", more, nodeFlags);
    return {
      ...{ url: (JSON.parse(line) as { url: string }).url, pid: child.pid ?? 0 },
      stop: () => end(child),
    };
  };
  const server = await startServer(serverEnv, serverFlags);
  const bareDatabase = viaSocket(postgres.superuserUrl, postgres.socketFolder);
  const bare = await start("bench/bare_server.ts", "url", { DATABASE_URL: bareDatabase });
  const worker = await start("worker/main.ts", "waiting for jobs");
  const { url } = server;

  const pool = new pg.Pool({ connectionString: databaseOf(postgres.superuserUrl, "latchkey"), max: 1 });
  pool.on("error", () => undefined);
  return {
    url,
    env,
    query: (text, values) => pool.query(text, values),
    client: createRestClient(url),
    gateway,
    postgres,
    serverPid: server.pid,
    workerPid: worker.child.pid ?? 0,
    startServer,
    async startBareWorker() {
      const { child } = await start("bench/bare_worker.ts", "waiting for jobs", {
        DATABASE_URL: bareDatabase,
      });
      return child.pid ?? 0;
    },
    bare: { url: (JSON.parse(bare.line) as { url: string }).url, pid: bare.child.pid ?? 0 },
    postgresPid: Number(
      readFileSync(join(home, "postgres-18", "data", "postmaster.pid"), "utf8").split("\n")[0],
    ),
    async stop() {
      for (const child of children) await end(child);
      await gateway.stop();
      await pool.end();
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
