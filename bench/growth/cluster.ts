import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig, serverConfig, workerConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { migrate } from "../../db/migrate.ts";
import { ensureDatabase, startThrowaway, viaSocket } from "../../embedded/index.ts";
import { databaseOf } from "../../testing/urls.ts";
import { createPicker, type Picker } from "./picker.ts";
import { seed, seedMany } from "./rows.ts";

export interface GrowthDatabase {
  name: "empty" | "grown";
  accounts: number;
  env: Environment;
  serverUrl: string;
  workerUrl: string;
  /** For hashes of codes that are inserted here and verified by api functions. */
  codeKey: Buffer;
  pepperFingerprint: Buffer;
  superuser: pg.Client;
  picker: Picker;
  seed: () => Promise<void>;
}

export interface GrowthCluster {
  empty: GrowthDatabase;
  grown: GrowthDatabase;
  stop: () => Promise<void>;
}

/**
 * Forces to disk like npm start's. The larger WAL keeps the checkpoints that seeding would cause out of the measurement, and the buffers
 * hold every page, as an operator of such a database would have it. SETTINGS, as JSON, changes others: {"shared_buffers": "128MB"},
 * PostgreSQL's default, is a cache that is cold.
 */
const settings = {
  ...{ fsync: "on", synchronous_commit: "on", full_page_writes: "on" },
  ...{ max_wal_size: "8GB", wal_level: "minimal", max_wal_senders: "0", shared_buffers: "8GB" },
  ...(JSON.parse(process.env.SETTINGS ?? "{}") as Record<string, string>),
};

/** One PostgreSQL, two databases of one operator: the same roles, passwords and secrets. */
export async function startCluster(accounts: { empty: number; grown: number }): Promise<GrowthCluster> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-growth-"));
  const postgres = await startThrowaway({ settings });
  const opened: pg.Client[] = [];

  async function open(name: "empty" | "grown"): Promise<GrowthDatabase> {
    const owner = { role: "latchkey_migrator", password: "bench", database: name };
    const DATABASE_URL = viaSocket(await ensureDatabase(postgres, owner), postgres.socketFolder);
    const env = { LATCHKEY_HOME: home, LOG_LEVEL: "warn", DATABASE_URL, PASSWORD_HASH_COST: "4" };
    await migrate(migratorConfig(env));
    const superuser = new pg.Client({
      connectionString: viaSocket(databaseOf(postgres.superuserUrl, name), postgres.socketFolder),
    });
    superuser.on("error", () => undefined);
    await superuser.connect();
    opened.push(superuser);
    const config = serverConfig(env);
    const picker = createPicker(accounts[name]);
    return {
      ...{ name, env, superuser, picker, accounts: accounts[name] },
      ...{ codeKey: config.codeKey, pepperFingerprint: config.pepperFingerprint },
      serverUrl: config.SERVER_DATABASE_URL,
      workerUrl: workerConfig(env).WORKER_DATABASE_URL,
      async seed() {
        await (name === "grown" ? seedMany : seed)(superuser, accounts[name]);
        picker.reset();
      },
    };
  }

  const stop = async () => {
    for (const client of opened) await client.end();
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    return { empty: await open("empty"), grown: await open("grown"), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
