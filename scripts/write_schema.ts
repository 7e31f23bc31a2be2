import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratorConfig } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import { dumpSchema } from "../db/schema_dump.ts";
import { sqlDirectory } from "../db/sql_files.ts";
import { ensureDatabase, startThrowaway } from "../embedded/index.ts";
import { OperatorError, runMain } from "../runtime/operator_error.ts";

/** npm run db:schema: writes db/schema.sql, as pg_dump describes a freshly migrated database. */
await runMain(async () => {
  const bin = process.env.LATCHKEY_POSTGRES_BIN;
  if (bin === undefined)
    throw new OperatorError(
      "db/schema.sql is made by the pg_dump of PostgreSQL 15: set LATCHKEY_POSTGRES_BIN to its bin folder.",
    );
  const home = mkdtempSync(join(tmpdir(), "latchkey-schema-"));
  const postgres = await startThrowaway({ settings: {} });
  try {
    const owner = { role: "latchkey_migrator", password: "throw-away", database: "latchkey" };
    const DATABASE_URL = await ensureDatabase(postgres, owner);
    await migrate(migratorConfig({ LATCHKEY_HOME: home, DATABASE_URL }));
    writeFileSync(join(sqlDirectory, "schema.sql"), dumpSchema(DATABASE_URL, bin));
  } finally {
    await postgres.stop();
    rmSync(home, { recursive: true });
  }
});
