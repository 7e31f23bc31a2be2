import { rmSync } from "node:fs";
import { join } from "node:path";
import { migratorConfig, serverConfig } from "../../config/config.ts";
import { migrate } from "../../db/migrate.ts";
import { copyHome, ensureDatabase, type RunningPostgres, startPostgres, subfolders } from "../../embedded/index.ts";

/** Fills a folder, as LATCHKEY_HOME names it, with a cluster without a database. It does not run. */
export async function createEmptyHome(home: string): Promise<void> {
  await runOnce(home, () => Promise.resolve());
}

/** The same as after a first npm start: with the database "latchkey", migrated, and its secrets. */
export async function createInstalledHome(home: string, emptyHome: string): Promise<void> {
  await copyHome(emptyHome, home);
  await runOnce(home, async (postgres) => {
    const role = { role: "latchkey_migrator", password: "of the migrator", database: "latchkey" };
    const env = { LATCHKEY_HOME: home, DATABASE_URL: await ensureDatabase(postgres, role) };
    await migrate(migratorConfig(env));
    serverConfig(env);
  });
}

async function runOnce(home: string, work: (postgres: RunningPostgres) => Promise<void>): Promise<void> {
  const postgres = await startPostgres({ home, durable: false });
  await work(postgres).finally(() => postgres.stop());
  for (const cluster of subfolders(home, "postgres-"))
    // Else all copies would try the same port first.
    for (const file of ["port", "server.log"]) rmSync(join(cluster, file));
}
