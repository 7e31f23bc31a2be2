import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { install, newCluster, recipe } from "../testing/postgres/installation.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { everythingIn } from "../testing/postgres/everything.ts";
import { pgtapFiles } from "../testing/postgres/pgtap_runner.ts";
import { query } from "../testing/postgres/role_cluster.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { databaseOf } from "../testing/postgres/urls.ts";

const command = recipe("installation", "Running the database's own tests");
/** A PostgreSQL with pgTAP; Debian's packages have both. */
const [binDirectory] = globSync("/usr/lib/postgresql/*/bin").filter(
  (folder) =>
    existsSync(join(folder, "psql")) &&
    existsSync(join(folder.replace("/lib/", "/share/"), "../extension/pgtap.control")),
);
if (binDirectory === undefined && process.env.CI) throw new Error("no PostgreSQL with pgTAP is installed");

/** run_pgtap.test.ts runs every file in a database like this one; here it is the command, on a folder, that is proven. */
const folder = "tests/policies/platform/";

test.skipIf(isMissing("pg_prove") || binDirectory === undefined)(
  "the documented command runs pgTAP files in an installed production database with other settings and rows, and changes nothing",
  async () => {
    const cluster = await newCluster(binDirectory);
    cluster.env.NODE_ENV = "production";
    await install(cluster);
    const url = databaseOf(cluster.superuserUrl, "latchkey");
    await runRecipe(
      "db/tests/psql --quiet --set ON_ERROR_STOP=1 --dbname latchkey --file db/fixtures/used_database.sql",
      cluster.asSuperuser,
    );
    const empty = await query(
      url,
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('user', 'platform', 'private', 'settings')
         and query_to_xml(format('select from %s limit 1', c.oid::regclass), true, true, '')::text = ''`,
    );
    expect(empty, "an empty table would prove nothing").toEqual([]);
    const before = await everythingIn(url, { inCluster: true });
    const run = (paths: string) =>
      runRecipe(command.replace(/db\/tests\/functions .*$/m, paths), cluster.asSuperuser).catch(String);

    expect(await run("db/tests/functions/api/sign_in/log_in.sql"), "without pgTAP in the database").toContain(
      "Result: PASS",
    );
    expect(await everythingIn(url, { inCluster: true })).toEqual(before);

    // Creating the extension for each file takes half of the time.
    await query(url, "create extension pgtap schema public");
    const output = await run(`db/${folder}`);
    await query(url, "drop extension pgtap");
    expect(output).toContain("All tests successful.");
    expect(output).toContain(`Files=${pgtapFiles.filter((path) => path.startsWith(folder)).length}, `);
    expect(await everythingIn(url, { inCluster: true })).toEqual(before);
  },
);

test("the documented command names every folder of pgTAP files", () => {
  const folders = command.match(/db\/tests\/\w+/g)?.filter((path) => path !== "db/tests/psql") ?? [];
  expect(pgtapFiles.filter((path) => !folders.some((one) => `db/${path}`.startsWith(`${one}/`)))).toEqual([]);
});
