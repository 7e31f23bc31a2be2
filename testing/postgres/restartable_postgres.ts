import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { migrate } from "../../db/migrate.ts";
import {
  copyHome,
  ensureDatabase,
  readPostmasterFile,
  type RunningPostgres,
  startPostgres,
  subfolders,
} from "../../embedded/index.ts";
import { startOnLastPort } from "../network/last_port.ts";
import { databaseOf } from "./urls.ts";

/**
 * pg_ctl's shutdown modes: fast ends the sessions; immediate is a crash, so the next start recovers from the WAL. kill:
 * SIGKILL to the postmaster, whose backends then end by themselves.
 */
export type StopMode = "fast" | "immediate" | "kill";

export interface RestartablePostgres {
  /** The environment of a process that uses its database. */
  env: Environment;
  /** Runs a statement as superuser on a new connection. */
  query: <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>;
  halt: (mode: StopMode) => Promise<void>;
  /** Starts PostgreSQL again on the same port. */
  resume: () => Promise<void>;
  /** Stops PostgreSQL and removes its data. */
  stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL cluster with a migrated database that keeps committed data when it is stopped.
 * @param extraEnv variables that are added to the environment
 * @param installed a home to copy, after a first npm start; without it, one is created, whose data outlive the machine
 */
export async function startRestartablePostgres(
  extraEnv: Environment = {},
  installed?: string,
): Promise<RestartablePostgres> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "latchkey-restart-"));
  chmodSync(home, 0o711);
  if (installed !== undefined) await copyHome(installed, home);
  const settings = installed === undefined ? {} : { fsync: "off" };
  const start = () => startPostgres({ home, durable: true, settings });
  let running: RunningPostgres | undefined = await start();
  const { superuserUrl, port, log } = running;
  const stop = async () => {
    await running?.stop();
    rmSync(home, { recursive: true, force: true });
  };
  const query = async <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => {
    const client = new pg.Client({ connectionString: databaseOf(superuserUrl, "latchkey") });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  try {
    const role = { role: "latchkey_migrator", password: "restart", database: "latchkey" };
    const DATABASE_URL = await ensureDatabase(running, role);
    const env = { LATCHKEY_HOME: home, NODE_ENV: "test", DATABASE_URL, ...extraEnv };
    await migrate(migratorConfig(env));
    return {
      env,
      query,
      async halt(mode) {
        if (mode === "fast") await running?.stop();
        else await crash(home, running, mode === "kill" ? "SIGKILL" : "SIGQUIT");
        running = undefined;
      },
      async resume() {
        running = await startOnLastPort(start, { port, log });
        if (running.superuserUrl !== superuserUrl)
          throw new Error("PostgreSQL has another port or password than before");
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function crash(home: string, running: RunningPostgres | undefined, signal: NodeJS.Signals): Promise<void> {
  for (const folder of subfolders(home, "postgres-")) {
    const pid = readPostmasterFile(join(folder, "data"))?.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }
  await running?.exited;
}
