import "../server/graphql/hasura/graphile_env.ts";
import { writeFileSync } from "node:fs";
import { runMain } from "../runtime/operator_error.ts";
import { createLog } from "../runtime/log.ts";
import { openPool } from "../runtime/pool.ts";
import { audiences, type Audience } from "../server/authorization/caller.ts";
import { printedSchema, schemaFile } from "../server/graphql/hasura/printed_schema.ts";
import { withMigratedDatabase } from "./with_migrated_database.ts";

/** npm run graphql:schema: writes each audience's GraphQL schema, generated from a newly migrated database. */
await runMain(() =>
  withMigratedDatabase(async ({ GRAPHQL_DATABASE_URL: connectionString }) => {
    const pool = openPool({ connectionString, application_name: "schema" }, createLog("schema", "warn"));
    for (const audience of Object.keys(audiences) as Audience[]) {
      writeFileSync(schemaFile(audience), await printedSchema(pool, audience));
    }
    await pool.end();
  }),
);
