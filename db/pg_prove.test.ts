import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { install, newCluster, recipe } from "../testing/postgres/installation.ts";
import { isMissing } from "../testing/installed_programs.ts";
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

/** What a run could leave behind: rows of every table, and what the catalog has but its statistics. */
const everything = `
  select c.oid::regclass::text as name, query_to_xml(
    format('select count(*), md5(string_agg(t::text, '' '' order by t::text)) as rows from %s t', c.oid::regclass), true, true, ''
  )::text as found
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' or c.oid = any (array[
    'pg_proc', 'pg_namespace', 'pg_extension', 'pg_policy', 'pg_roles', 'pg_auth_members', 'pg_db_role_setting'
  ]::regclass[])
  union all
  select c.line, c.fingerprint from private.catalog_in_force() c
  order by 1`;

test.skipIf(isMissing("pg_prove") || binDirectory === undefined)(
  "the documented command runs every pgTAP file in an installed production database with other settings and rows, and changes nothing",
  { timeout: 560_000 },
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
       where c.relkind = 'r' and n.nspname in ('user', 'platform', 'private', 'settings')
         and query_to_xml(format('select from %s limit 1', c.oid::regclass), true, true, '')::text = ''`,
    );
    expect(empty, "an empty table would prove nothing").toEqual([]);
    const before = await query(url, everything);

    const onlyOne = command.replace(/db\/tests\/functions .*$/m, "db/tests/functions/api/log_in.sql");
    expect(await runRecipe(onlyOne, cluster.asSuperuser), "without pgTAP in the database").toContain("Result: PASS");
    expect(await query(url, everything)).toEqual(before);

    // Creating the extension for each file takes half of the time.
    await query(url, "create extension pgtap schema public");
    const output = await runRecipe(command, cluster.asSuperuser).catch(String);
    await query(url, "drop extension pgtap");
    expect(output).toContain("All tests successful.");
    expect(output).toContain(`Files=${pgtapFiles.length}, `);
    expect(await query(url, everything)).toEqual(before);
  },
);
