import { expect, onTestFinished } from "vitest";
import { migratorConfig } from "../config/config.ts";
import { createTestDatabase, type TestDatabase } from "../testing/postgres/test_database.ts";
import { isolatedTest as baseTest } from "./fixtures/database_fixtures.ts";
import { fingerprint } from "../testing/postgres/fingerprint.ts";
import { copySql } from "../testing/postgres/sql_copy.ts";
import { migrate } from "./migrate.ts";

const test = baseTest.extend("databaseOptions", { scope: "file" }, () => ({ migrated: false }));

async function schemasOf({ query }: TestDatabase): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema)' order by 1`,
  );
  return rows.map(({ name }) => name);
}

const ours = [
  "api",
  "crypto",
  "delivery",
  "fraud",
  "hook",
  "latchkey",
  "migration",
  "platform",
  "private",
  "settings",
  "startup",
  "user",
];

test("an empty database is migrated by a role that is no superuser", async ({ database, config }) => {
  const said: string[] = [];
  await migrate(config, (line) => said.push(line));

  const [role] = await database.query(
    "select rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = 'latchkey_migrator'",
  );
  expect(role).toEqual({
    rolname: new URL(database.env.DATABASE_URL!).username,
    rolsuper: false,
    rolcreaterole: true,
    rolcreatedb: false,
    rolbypassrls: false,
  });
  expect(await schemasOf(database)).toEqual([...ours, "graphile_worker", "public"].sort());
  expect(said[0]).toMatch(/^migrated: 0001_schemas, .*, functions, policies$/);
});

test("everything belongs to roles that cannot log in", async ({ database, config }) => {
  await migrate(config);
  const strangers = await database.query(
    `select c.oid::regclass::text as name, c.relowner::regrole::text as owner from pg_class c
     where c.relnamespace::regnamespace::text = any ($1) and c.relowner <> 'latchkey_owner'::regrole
     union all
     select p.oid::regprocedure::text, p.proowner::regrole::text from pg_proc p
     where p.pronamespace::regnamespace::text = any ($1) and p.proowner <> 'latchkey_owner'::regrole
       and p.pronamespace <> 'crypto'::regnamespace`,
    [[...ours.map((name) => (name === "user" ? '"user"' : name)), "graphile_worker"]],
  );
  // It runs the application's hooks with their rights.
  expect(strangers).toEqual([{ name: "private.run_hook(text,text[],text,text[])", owner: "latchkey_hook" }]);
  expect(
    await database.query("select rolcanlogin from pg_roles where rolname in ('latchkey_owner', 'latchkey_hook')"),
  ).toEqual([{ rolcanlogin: false }, { rolcanlogin: false }]);
});

test("migrating twice changes nothing", async ({ database, config }) => {
  await migrate(config);
  const before = await fingerprint(database);
  const said: string[] = [];
  await migrate(config, (line) => said.push(line));
  expect(await fingerprint(database)).toEqual(before);
  expect(said).toEqual([]);
});

test("five migrators at once on an empty database all succeed, and one of them does the work", async ({ config }) => {
  const said: string[] = [];
  const migrators = Array.from({ length: 5 }, () => migrate(config, (line) => said.push(line)));
  expect((await Promise.allSettled(migrators)).map(({ status }) => status)).toEqual(migrators.map(() => "fulfilled"));
  expect(said.filter((line) => line.startsWith("migrated"))).toHaveLength(1);
});

test("five migrators at once on five empty databases of one cluster all succeed", async () => {
  const some = await Promise.all(Array.from({ length: 5 }, () => createTestDatabase({ migrated: false })));
  onTestFinished(async () => {
    await Promise.all(some.map((database) => database.drop()));
  });
  await Promise.all(some.map(({ env }) => migrate(migratorConfig(env))));
  for (const database of some) expect(await schemasOf(database)).toContain("api");
});

test("a migration that fails is named and leaves tables, functions and settings as they were", async ({
  database,
  config,
}) => {
  await migrate(config);
  const before = await fingerprint(database);

  const newer = copySql();
  newer.write("migrations/9001_fine.sql", "create table settings.extra (id integer);");
  newer.write("migrations/9002_broken.sql", "alter table settings.extra add id integer;");
  newer.remove("functions/private/otp/make_code.sql");
  const changed = migratorConfig({ ...database.env, OTP_LENGTH: "8" });
  await expect(migrate(changed, undefined, newer.directory)).rejects.toMatchObject({
    name: "OperatorError",
    message: 'db/migrations/9002_broken.sql: column "id" of relation "extra" already exists',
  });
  expect(await fingerprint(database)).toEqual(before);
});

test("a migration gives phones of a former numbering plan their new form, and names the accounts that people must decide about", async ({
  database,
  config,
}) => {
  await migrate(config);
  const insert = `insert into "user".account (id, phone, phone_verified_at)
    select private.new_id(), phone, now() from unnest($1::text[]) phone`;
  await database.query(insert, [["+22997123456", "+5215512345678", "+525512345678"]]);
  const newer = copySql();
  newer.write(
    "functions/private/newer.sql",
    "create or replace function private.newer() returns void language sql as $$ $$;",
  );
  const said: string[] = [];
  await migrate(config, (line) => said.push(line), newer.directory);
  expect(said).toEqual([
    "renumbered: 1 phones, whose countries changed their numbering plans",
    expect.stringMatching(/^not renumbered: account [0-9a-f-]{36}, because account [0-9a-f-]{36} has the new form/),
    expect.stringMatching(/^migrated: /),
  ]);
  expect(said.join()).not.toMatch(/\+\d/);
  expect(await database.query(`select phone from "user".account order by phone`)).toEqual(
    ["+2290197123456", "+5215512345678", "+525512345678"].map((phone) => ({ phone })),
  );
});

test("a row of a later migration of the queue, which no worker can write, is named with the statement that deletes it", async ({
  database,
  config,
}) => {
  await migrate(config);
  const forge = "insert into graphile_worker.migrations (id, breaking) values (999, true)";
  await expect(database.query(`set role latchkey_worker; ${forge}`)).rejects.toMatchObject({ code: "42501" });
  await database.query(`reset role; ${forge}`);
  const { message } = (await migrate(config).catch((error: unknown) => error)) as Error;
  const repair = /set role latchkey_owner; (delete from .*)$/.exec(message)?.[1];
  expect(repair).toMatch(/where id > \d+$/);
  await database.query(String(repair));
  await migrate(config);
});

test("a function file that fails is named and leaves tables, functions and settings as they were", async ({
  database,
  config,
}) => {
  await migrate(config);
  const before = await fingerprint(database);

  const newer = copySql();
  newer.write("migrations/9001_fine.sql", "create table settings.extra (id integer);");
  newer.edit("functions/settings/check_configuration.sql", "create or replace", "create or");
  const changed = migratorConfig({ ...database.env, OTP_LENGTH: "8" });
  await expect(migrate(changed, undefined, newer.directory)).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(/^db\/functions\/settings\/check_configuration\.sql: syntax error/) as string,
  });
  expect(await fingerprint(database)).toEqual(before);
});

test("a first migration that fails leaves none of our schemas, and the next one succeeds", async ({
  database,
  config,
}) => {
  const broken = copySql();
  broken.write("functions/api/sign_in/log_in.sql", "select 1/0;");
  await expect(migrate(config, undefined, broken.directory)).rejects.toThrow(
    "db/functions/api/sign_in/log_in.sql: division by zero",
  );
  expect(await schemasOf(database)).toEqual(["graphile_worker", "public"]);
  await migrate(config);
  expect(await schemasOf(database)).toContain("api");
});

test("a migration whose connection is lost is named, with the reason that PostgreSQL gave", async ({ config }) => {
  const broken = copySql();
  broken.write("functions/api/sign_in/log_in.sql", "reset role; select pg_terminate_backend(pg_backend_pid());");
  await expect(migrate(config, undefined, broken.directory)).rejects.toMatchObject({
    name: "OperatorError",
    message: "db/functions/api/sign_in/log_in.sql: terminating connection due to administrator command",
  });
});
