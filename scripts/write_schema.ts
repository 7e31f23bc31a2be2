import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dumpSchema } from "../db/schema_dump.ts";
import { sqlDirectory } from "../db/sql_files.ts";
import { OperatorError, runMain } from "../runtime/operator_error.ts";
import { withMigratedDatabase } from "./with_migrated_database.ts";

/** npm run db:schema: writes db/schema.sql, as pg_dump describes a freshly migrated database. */
await runMain(async () => {
  const bin = process.env.LATCHKEY_POSTGRES_BIN;
  if (bin === undefined)
    throw new OperatorError(
      "db/schema.sql is made by the pg_dump of PostgreSQL 15: set LATCHKEY_POSTGRES_BIN to its bin folder.",
    );
  await withMigratedDatabase(({ DATABASE_URL }) => {
    writeFileSync(join(sqlDirectory, "schema.sql"), dumpSchema(DATABASE_URL, bin));
  });
});
