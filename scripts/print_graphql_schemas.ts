import "../server/graphql/hasura/graphile_env.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratorConfig } from "../config/config.ts";
import { runMain } from "../runtime/operator_error.ts";
import { createLog } from "../runtime/log.ts";
import { openPool } from "../runtime/pool.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, startThrowaway } from "../embedded/index.ts";
import { audiences, type Audience } from "../server/authorization/caller.ts";
import { printedSchema, schemaFile } from "../server/graphql/hasura/printed_schema.ts";

/** npm run graphql:schema: writes each audience's GraphQL schema, generated from a newly migrated database. */
await runMain(async () => {
  const home = mkdtempSync(join(tmpdir(), "latchkey-schema-"));
  const postgres = await startThrowaway({ settings: {} });
  try {
    const owner = { role: "latchkey_migrator", password: "throw-away", database: "latchkey" };
    const DATABASE_URL = await ensureDatabase(postgres, owner);
    const config = migratorConfig({ LATCHKEY_HOME: home, DATABASE_URL });
    await migrate(config);
    const connectionString = config.GRAPHQL_DATABASE_URL;
    const pool = openPool({ connectionString, application_name: "schema" }, createLog("schema", "warn"));
    for (const audience of Object.keys(audiences) as Audience[]) {
      writeFileSync(schemaFile(audience), await printedSchema(pool, audience));
    }
    await pool.end();
  } finally {
    await postgres.stop();
    rmSync(home, { recursive: true });
  }
});
