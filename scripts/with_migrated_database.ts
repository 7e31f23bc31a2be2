import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratorConfig, type MigratorConfig } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, startThrowaway } from "../embedded/index.ts";

/** Runs work on a newly migrated database of a temporary cluster. */
export async function withMigratedDatabase(work: (config: MigratorConfig) => Promise<void> | void): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-schema-"));
  const postgres = await startThrowaway();
  try {
    const owner = { role: "latchkey_migrator", password: "throw-away", database: "latchkey" };
    const DATABASE_URL = await ensureDatabase(postgres, owner);
    const config = migratorConfig({ LATCHKEY_HOME: home, DATABASE_URL });
    await migrate(config);
    await work(config);
  } finally {
    await postgres.stop();
    rmSync(home, { recursive: true });
  }
}
