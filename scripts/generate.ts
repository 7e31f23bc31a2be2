import "../graphql/hasura/graphile_env.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { dumpSchema } from "../db/migrate/schema_dump.ts";
import { createLog } from "../runtime/log.ts";
import { OperatorError, runMain } from "../runtime/operator_error.ts";
import { openPool } from "../runtime/database/pool.ts";
import { audiences, type Audience } from "../graphql/authorization/caller.ts";
import { printedSchema, schemaFile } from "../graphql/hasura/printed_schema.ts";
import { apiCatalog } from "./api_catalog.ts";
import { clientTypes } from "./client_types.ts";
import { postmanCollection } from "./postman_collection.ts";
import { takePictures } from "./pictures.ts";
import { restDocs } from "./rest_docs.ts";
import { withMigratedDatabase } from "./with_migrated_database.ts";

const pathOf = (file: string) => join(import.meta.dirname, "..", file);
const write = (file: string, text: string) => writeFileSync(pathOf(file), text);

/** Each writes the files of its name. A test compares them with what they are made from, but for pictures. */
const generators: Record<string, () => Promise<void>> = {
  async client() {
    const file = "client/src/schema.ts";
    write(file, await clientTypes(pathOf(file)));
  },
  async rest() {
    const file = "docs/routes.md";
    write(file, await format(restDocs(), { ...(await resolveConfig(pathOf(file))), parser: "markdown" }));
  },
  async postman() {
    const collection = JSON.stringify(await postmanCollection(), null, 2);
    write("examples/latchkey.postman_collection.json", `${collection}\n`);
  },
  api: () =>
    withMigratedDatabase(async ({ DATABASE_URL: connectionString }) => {
      const pool = openPool({ connectionString, application_name: "catalog" }, createLog("catalog", "warn"));
      const query = async <Row extends object>(text: string) => (await pool.query<Row>(text)).rows;
      const file = "server/database/api_catalog.ts";
      write(file, await apiCatalog(query, pathOf(file)));
      await pool.end();
    }),
  graphql: () =>
    withMigratedDatabase(async ({ GRAPHQL_DATABASE_URL: connectionString }) => {
      const pool = openPool({ connectionString, application_name: "schema" }, createLog("schema", "warn"));
      for (const audience of Object.keys(audiences) as Audience[])
        writeFileSync(schemaFile(audience), await printedSchema(pool, audience));
      await pool.end();
    }),
  async database() {
    const bin = process.env.LATCHKEY_POSTGRES_BIN;
    if (bin === undefined)
      throw new OperatorError(
        "db/schema.sql is made by the pg_dump of PostgreSQL 15: set LATCHKEY_POSTGRES_BIN to its bin folder.",
      );
    await withMigratedDatabase(({ DATABASE_URL }) => write("db/schema.sql", dumpSchema(DATABASE_URL, bin)));
  },
  pictures: () => takePictures(pathOf("docs/pictures")),
};

/** Pictures differ in each run, by their times and codes, so they are made on request only. */
const all = Object.keys(generators).filter((name) => name !== "pictures");

/** npm run generate: writes all generated files, or those of the names that follow: npm run generate -- rest client. */
await runMain(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !(name in generators));
  if (unknown !== undefined)
    throw new OperatorError(`${unknown} is none of the generated files: ${Object.keys(generators).join(", ")}`);
  // The last one needs PostgreSQL 15, so that the others are written without it.
  for (const name of names.length > 0 ? names : all) {
    console.log(`writing ${name}`);
    await generators[name]?.();
  }
});
