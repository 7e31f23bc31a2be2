import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig, serverConfig, workerConfig } from "../../config/config.ts";
import { migrate } from "../../db/migrate.ts";
import { ensureDatabase, startThrowaway, viaSocket } from "../../embedded/index.ts";
import type { SeededDatabase } from "../../testing/api_calls/api_cases.ts";
import { createPicker } from "../../testing/api_calls/picker.ts";
import { seed, seedMany } from "../../testing/api_calls/seeded_rows.ts";
import { databaseOf } from "../../testing/postgres/urls.ts";

export interface GrowthDatabase extends SeededDatabase {
  name: "empty" | "grown";
  superuserUrl: string;
  serverUrl: string;
  workerUrl: string;
  seed: () => Promise<void>;
}

/**
 * PostgreSQL flushes to disk as with npm start. The large WAL avoids checkpoints during the measurement, and all pages
 * fit into shared_buffers, as in a well-configured large database. A page's first change after a checkpoint adds a copy
 * of the whole page to the WAL, in any program: in the large database that is every page that a call changes, in the
 * empty one almost none, so it would be most of the difference. SETTINGS (JSON) overrides: {"full_page_writes": "on"}
 * measures with these copies, {"shared_buffers": "128MB"} with a cold cache.
 */
const settings = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "off",
  max_wal_size: "8GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  shared_buffers: "8GB",
  ...(JSON.parse(process.env.SETTINGS ?? "{}") as Record<string, string>),
};

/** Starts one PostgreSQL with two databases that share roles, passwords and secrets. */
export async function startCluster(accounts: { empty: number; grown: number }) {
  const home = mkdtempSync(join(tmpdir(), "latchkey-growth-"));
  const postgres = await startThrowaway({ settings });
  const clients: pg.Client[] = [];

  async function createDatabase(name: "empty" | "grown"): Promise<GrowthDatabase> {
    const owner = { role: "latchkey_migrator", password: "bench", database: name };
    const DATABASE_URL = viaSocket(await ensureDatabase(postgres, owner), postgres.socketFolder);
    const env = { LATCHKEY_HOME: home, LOG_LEVEL: "warn", DATABASE_URL, PASSWORD_HASH_COST: "4" };
    await migrate(migratorConfig(env));
    const superuserUrl = viaSocket(databaseOf(postgres.superuserUrl, name), postgres.socketFolder);
    const superuser = new pg.Client({ connectionString: superuserUrl });
    superuser.on("error", () => undefined);
    await superuser.connect();
    clients.push(superuser);
    const { SERVER_DATABASE_URL: serverUrl, codeKey } = serverConfig(env);
    const { WORKER_DATABASE_URL: workerUrl } = workerConfig(env);
    const picker = createPicker(accounts[name]);
    return {
      name,
      superuser,
      picker,
      codeKey,
      superuserUrl,
      serverUrl,
      workerUrl,
      accounts: accounts[name],
      async seed() {
        await (name === "grown" ? seedMany : seed)(superuser, accounts[name]);
        picker.reset();
      },
    };
  }

  const [empty, grown] = [await createDatabase("empty"), await createDatabase("grown")];
  return {
    empty,
    grown,
    async stop() {
      for (const client of clients) await client.end();
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
