import { expect } from "vitest";
import { test as baseTest } from "../fixtures/database_fixtures.ts";
import { copySql } from "../../testing/postgres/sql_copy.ts";
import { migrate } from "../migrate.ts";
import { schemas } from "../names.ts";
import { findSql, functionName, readSql } from "../sql_files.ts";

/** A function of one literal, the only kind that may lie in a file with others and have no test of its own. */
const constant =
  /^create or replace function (\w+\.\w+)\(\) returns .*\nlanguage sql immutable .* as \$\$\s+select (?:(?:interval )?'[^']*'|\d+|array\[[^\]]*\])\s+\$\$;/gm;
const constants = Array.from(readSql("functions/constants.sql").matchAll(constant), ([, name = ""]) => name);
const ofFiles = [...findSql("functions/*/**/*.sql").map(functionName), ...constants].sort();

/** Returns the functions of our schemas, by schema and name. */
const test = baseTest.extend("functions", ({ database }) => async (): Promise<string[]> => {
  const rows = await database.query<{ name: string }>(
    `select n.nspname || '.' || p.proname as name
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = any ($1) order by 1`,
    [schemas],
  );
  return rows.map(({ name }) => name).sort();
});

test("every function but a constant has a file of its name, and every file makes its function", async ({
  functions,
}) => {
  expect(await functions()).toEqual(ofFiles);
});

test("a function whose file is gone is dropped, in every schema of ours", async ({ config, functions }) => {
  const next = copySql();
  for (const schema of ["private", "user", "delivery"]) {
    next.write(
      `functions/${schema}/of_the_next_version.sql`,
      `create or replace function "${schema}".of_the_next_version() returns integer language sql as 'select 1';`,
    );
  }
  await migrate(config, undefined, next.directory);
  expect(await functions()).toHaveLength(ofFiles.length + 3);
  await migrate(config);
  expect(await functions()).toEqual(ofFiles);
});

test("a changed function is applied again, and the others keep their grants", async ({ database, config }) => {
  const rights = () =>
    database.query(
      `select p.oid::regprocedure::text as name, p.proacl::text as rights from pg_proc p
       where p.pronamespace::regnamespace::text = any ($1) order by 1`,
      [schemas.map((name) => (name === "user" ? '"user"' : name))],
    );
  const before = await rights();
  const changed = copySql();
  changed.edit("functions/startup/installed_migration.sql", "select max(a.name)", "select min(a.name)");
  const said: string[] = [];
  await migrate(config, (line) => said.push(line), changed.directory);
  expect(said).toEqual(["migrated: functions"]);
  expect(await database.query("select startup.installed_migration() as name")).toEqual([{ name: "0001_schemas" }]);
  expect(await rights()).toEqual(before);
  await migrate(config);
});

test("a parameter of an entry point may be renamed, which create or replace alone refuses", async ({
  database,
  config,
}) => {
  const renamed = copySql();
  renamed.edit("functions/api/sessions/authorize.sql", "session_id uuid", "id_of_session uuid");
  await migrate(config, undefined, renamed.directory);
  expect(await database.query("select proargnames[1] as name from pg_proc where proname = 'authorize'")).toEqual([
    { name: "id_of_session" },
  ]);
  await migrate(config);
});

test("a grant that is deleted from a function's file is gone", async ({ database, config }) => {
  const narrowed = copySql();
  narrowed.edit("functions/user/revoke_session.sql", "grant execute", "-- grant execute");
  await migrate(config, undefined, narrowed.directory);
  const mayRevoke = () =>
    database.query(`select has_function_privilege('latchkey_user', '"user".revoke_session(uuid)', 'execute') as may`);
  expect(await mayRevoke()).toEqual([{ may: false }]);
  await migrate(config);
  expect(await mayRevoke()).toEqual([{ may: true }]);
});

test("the worker's rights on its queue are applied again when queue.sql changes", async ({ database, config }) => {
  const narrowed = copySql();
  narrowed.edit("queue.sql", "select, insert, update, delete on all tables", "select on all tables");
  await database.query(
    "revoke update on all tables in schema graphile_worker from latchkey_worker; " +
      'drop policy "the worker runs the queue" on graphile_worker._private_jobs; ' +
      "select private.remember_catalog()",
  );
  await migrate(config, undefined, narrowed.directory);
  const mayUpdate = () =>
    database.query(
      `select has_table_privilege('latchkey_worker', 'graphile_worker._private_jobs', 'update') as update,
              exists (select from pg_policy where polrelid = 'graphile_worker._private_jobs'::regclass) as policy`,
    );
  expect(await mayUpdate()).toEqual([{ update: false, policy: true }]);
  await migrate(config);
  expect(await mayUpdate()).toEqual([{ update: true, policy: true }]);
});
