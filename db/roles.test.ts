import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { migratorConfig, type MigratorConfig } from "../common/config.ts";
import type { Environment } from "../common/environment.ts";
import { ensureDatabase } from "../embedded/database.ts";
import type { RunningPostgres } from "../embedded/postgres.ts";
import { startThrowaway } from "../embedded/throwaway.ts";
import { eventually } from "../testing/eventually.ts";
import { migrate } from "./migrate.ts";
import { readSql } from "./sql_files.ts";

// Roles are cluster-wide, so what changes them has a PostgreSQL of its own, one that logs every statement.
let postgres: RunningPostgres;
beforeAll(async () => {
  postgres = await startThrowaway({ settings: { log_statement: "all" } });
});
afterAll(() => postgres.stop());

const logins = ["server", "graphql", "worker"];

async function newDatabase(database: string, role = "latchkey_migrator"): Promise<string> {
  return ensureDatabase(postgres, { role, password: "of the migrator", database });
}

/** The migrator's configuration, with this password in the addresses of the log-in roles. */
function configFor(url: string, password: string, env: Environment = {}): MigratorConfig {
  const addresses = logins.map((name) => {
    const address = new URL(url);
    address.username = `latchkey_${name}`;
    address.password = encodeURIComponent(password);
    return [`${name.toUpperCase()}_DATABASE_URL`, address.href];
  });
  return migratorConfig({
    NODE_ENV: "production",
    DATABASE_URL: url,
    ...(Object.fromEntries(addresses) as Environment),
    ...env,
  });
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const superuserQuery = (text: string) => query(postgres.superuserUrl, text);

test("of two migrators that make the roles of one cluster at once the later one goes on with the earlier's", async () => {
  const [here, there] = [await newDatabase("here"), await newDatabase("there")];
  const earlier = new pg.Client({ connectionString: there });
  await earlier.connect();
  await earlier.query("begin");
  await earlier.query(readSql("roles.sql"));

  const later = migrate(configFor(here, "first"));
  await eventually("the later one waits for the earlier one's role", async () => {
    return (await superuserQuery("select from pg_locks where not granted")).length > 0;
  });
  await earlier.query("commit");
  await earlier.end();
  await later;

  await superuserQuery("drop database here with (force)");
  await superuserQuery("drop database there with (force)");

  const roles = await superuserQuery(
    `select rolname as name, rolcanlogin as login, rolinherit as inherit from pg_roles
     where rolname ~ '^latchkey_' and rolname <> 'latchkey_migrator'
       and not (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication) order by 1`,
  );
  expect(roles).toEqual([
    { name: "latchkey_admin", login: false, inherit: true },
    { name: "latchkey_graphql", login: true, inherit: false },
    { name: "latchkey_guest", login: false, inherit: true },
    { name: "latchkey_owner", login: false, inherit: true },
    { name: "latchkey_server", login: true, inherit: false },
    { name: "latchkey_user", login: false, inherit: true },
    { name: "latchkey_worker", login: true, inherit: false },
  ]);
});

test("another database's installation keeps its roles: a second one with other passwords is refused", async () => {
  const [first, second] = [await newDatabase("one"), await newDatabase("two")];
  const config = configFor(first, "first");
  await migrate(config);
  await expect(migrate(configFor(second, "second"))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(
      /^The roles of this cluster belong to the installation in database .*one.*, and SERVER_DATABASE_URL carries/,
    ) as string,
  });
  expect(await query(config.SERVER_DATABASE_URL, "select 1 as one"), "its processes still log in").toEqual([
    { one: 1 },
  ]);
  await superuserQuery("drop database two");
});

test("a password that changed in the addresses takes effect at the next migration, whatever is in it", async () => {
  const url = await newDatabase("one");
  const old = configFor(url, "first");
  await migrate(old);
  const changed = configFor(url, "%@ '\\$$;/ü");
  await migrate(changed);
  for (const name of ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"] as const) {
    const role = `latchkey_${name.split("_")[0]!.toLowerCase()}`;
    expect(await query(changed[name], "select current_user as name")).toEqual([{ name: role }]);
    await expect(query(old[name], "select 1")).rejects.toMatchObject({ code: "28P01" });
  }
});

test("a password that works already is not sent again", async () => {
  const url = await newDatabase("one");
  await migrate(configFor(url, "stays"));
  const verifiers = () =>
    superuserQuery("select rolname, rolpassword from pg_authid where rolname ~ '^latchkey_' order by 1");
  const before = await verifiers();
  await migrate(configFor(url, "stays"));
  expect(await verifiers()).toEqual(before);
});

test("no statement holds a password, but its SCRAM verifier", async () => {
  const url = await newDatabase("one");
  await migrate(configFor(url, "not-to-be-logged"));
  const log = readFileSync(postgres.log, "utf8");
  for (const name of logins)
    expect(log).toContain(`alter role latchkey_${name} password 'SCRAM-SHA-256$4096:`);
  expect(log).not.toContain("not-to-be-logged");
  expect(log).not.toContain("of the migrator");
});

test("an address that logs in as another role is refused with a sentence", async () => {
  const url = await newDatabase("one");
  const config = configFor(url, "first", { WORKER_DATABASE_URL: url });
  await expect(migrate(config)).rejects.toMatchObject({
    name: "OperatorError",
    message: "WORKER_DATABASE_URL must log in as latchkey_worker, not as latchkey_migrator.",
  });
});

test("a migrator without CREATEROLE on a cluster without our roles is refused with a sentence", async () => {
  const other = await startThrowaway();
  try {
    const url = await ensureDatabase(other, { role: "poor", password: "poor", database: "poor" });
    await query(other.superuserUrl, "alter role poor nocreaterole");
    await expect(migrate(configFor(url, "first"))).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(/^The roles of Latchkey cannot be made: .*with CREATEROLE/) as string,
    });
  } finally {
    await other.stop();
  }
});

test("a second installation's migrator, to whom the roles do not belong, is refused with a sentence", async ({
  skip,
}) => {
  // Before 16 whoever has CREATEROLE may change every role that is no superuser.
  skip(postgres.version < 160_000);
  await migrate(configFor(await newDatabase("one"), "first"));
  const url = await newDatabase("foreign", "another_migrator");
  await expect(migrate(configFor(url, "first"))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringContaining("one installation fits into a cluster") as string,
  });
});

test("the log-in roles have their time-outs set on the role, where a transaction pooler cannot lose them", async () => {
  const url = await newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  expect(
    await query(
      config.SERVER_DATABASE_URL,
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
              current_setting('idle_in_transaction_session_timeout') as idle`,
    ),
  ).toEqual([{ statement: "10s", lock: "2s", idle: "10s" }]);
});

test("settings that a role gave itself, for all databases or for one, are undone by the next migration", async () => {
  const url = await newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const settings = () =>
    superuserQuery(
      `select s.setrole::regrole::text as role, s.setdatabase, s.setconfig from pg_db_role_setting s
       where s.setrole::regrole::text ~ '^latchkey_' order by 1`,
    );
  const before = await settings();
  expect(before.length).toBe(3);
  await query(
    config.SERVER_DATABASE_URL,
    `alter role latchkey_server set statement_timeout = 0;
     alter role latchkey_server set row_security = off;
     alter role latchkey_server in database one set search_path = 'mine'`,
  );
  await query(
    config.WORKER_DATABASE_URL,
    "alter role latchkey_worker in database postgres set role = 'none'",
  );
  expect(await settings()).not.toEqual(before);
  await migrate(config);
  expect(await settings()).toEqual(before);
});

test("a migration lock that somebody holds ends the migration with a sentence that names the holder", async () => {
  const url = await newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const squatter = new pg.Client({
    connectionString: config.SERVER_DATABASE_URL,
    application_name: "squatter",
  });
  await squatter.connect();
  try {
    await squatter.query("select pg_advisory_lock(7302711)");
    await expect(migrate(config, undefined, undefined, 50)).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(
        /^The migration lock was not free within 0.05 seconds. Held by process \d+ \(role latchkey_server, application "squatter"\)/,
      ) as string,
    });
  } finally {
    await squatter.end();
  }
  await migrate(config, undefined, undefined, 50);
});

test("the text of GraphQL's statements stays out of the log where the migrator may see to it", async () => {
  const url = await newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  for (const name of ["SERVER", "GRAPHQL"] as const) {
    const failing = query(config[`${name}_DATABASE_URL`], `select 1 / 0 as asked_by_${name}`);
    await expect(failing).rejects.toMatchObject({ code: "22012" });
  }
  const log = readFileSync(postgres.log, "utf8");
  expect(log).toContain("STATEMENT:  select 1 / 0 as asked_by_SERVER");
  expect(log).not.toContain("STATEMENT:  select 1 / 0 as asked_by_GRAPHQL");

  // Elsewhere the migrator's part goes on without.
  await superuserQuery("revoke set on parameter log_min_error_statement from latchkey_migrator");
  await expect(migrate(config)).resolves.not.toThrow();
});

test("a migrator that may no longer administer the roles, as after an upgrade from 15, migrates where none lacks anything", async ({
  skip,
}) => {
  skip(postgres.version < 160_000);
  const url = await newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const roles =
    "latchkey_owner, latchkey_server, latchkey_graphql, latchkey_worker, latchkey_guest, latchkey_user, latchkey_admin";
  // As 15 left them: memberships that a superuser granted, and no right to pass them on.
  await superuserQuery(
    `revoke admin option for ${roles} from latchkey_migrator cascade;
     grant latchkey_owner to latchkey_migrator with inherit true, set true; grant latchkey_guest, latchkey_user, latchkey_admin to latchkey_graphql`,
  );
  try {
    await expect(query(url, "grant latchkey_admin to latchkey_graphql")).rejects.toMatchObject({
      code: "42501",
    });
    await migrate(config);
  } finally {
    await superuserQuery(`grant ${roles} to latchkey_migrator with admin option`);
  }
});
