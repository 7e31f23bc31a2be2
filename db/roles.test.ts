import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureDatabase, startThrowaway } from "../embedded/index.ts";
import { eventually } from "../testing/eventually.ts";
import { configFor, query, startRoleCluster, type RoleCluster } from "../testing/role_cluster.ts";
import { migrate } from "./migrate.ts";
import { readSql } from "./sql_files.ts";

let cluster: RoleCluster;
beforeAll(async () => {
  cluster = await startRoleCluster();
});
afterAll(() => cluster.postgres.stop());

test("of two migrators that make the roles of one cluster at once the later one goes on with the earlier's", async () => {
  const [here, there] = [await cluster.newDatabase("here"), await cluster.newDatabase("there")];
  const earlier = new pg.Client({ connectionString: there });
  await earlier.connect();
  await earlier.query("begin");
  await earlier.query(readSql("roles.sql"));

  const later = migrate(configFor(here, "first"));
  await eventually("the later one waits for the earlier one's role", async () => {
    return (await cluster.superuserQuery("select from pg_locks where not granted")).length > 0;
  });
  await earlier.query("commit");
  await earlier.end();
  await later;

  await cluster.superuserQuery("drop database here with (force)");
  await cluster.superuserQuery("drop database there with (force)");

  const roles = await cluster.superuserQuery(
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
  skip(cluster.postgres.version < 160_000);
  await migrate(configFor(await cluster.newDatabase("one"), "first"));
  const url = await cluster.newDatabase("foreign", "another_migrator");
  await expect(migrate(configFor(url, "first"))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringContaining("one installation fits into a cluster") as string,
  });
});

test("the log-in roles have their time-outs set on the role, where a transaction pooler cannot lose them", async () => {
  const url = await cluster.newDatabase("one");
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

test("PUBLIC may neither connect to the database nor make temporary tables in it", async () => {
  const url = await cluster.newDatabase("one");
  await cluster.superuserQuery("grant connect, temporary on database one to public");
  await migrate(configFor(url, "first"));
  expect(
    await cluster.superuserQuery(
      `select has_database_privilege('public', 'one', 'connect') as connect, has_database_privilege('public', 'one', 'temporary') as temporary`,
    ),
  ).toEqual([{ connect: false, temporary: false }]);
});

test("settings that a role gave itself, for all databases or for one, are undone by the next migration", async () => {
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const settings = () =>
    cluster.superuserQuery(
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
  const url = await cluster.newDatabase("one");
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
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  for (const name of ["SERVER", "GRAPHQL"] as const) {
    const failing = query(config[`${name}_DATABASE_URL`], `select 1 / 0 as asked_by_${name}`);
    await expect(failing).rejects.toMatchObject({ code: "22012" });
  }
  const log = readFileSync(cluster.postgres.log, "utf8");
  expect(log).toContain("STATEMENT:  select 1 / 0 as asked_by_SERVER");
  expect(log).not.toContain("STATEMENT:  select 1 / 0 as asked_by_GRAPHQL");

  // Elsewhere the migrator's part goes on without.
  await cluster.superuserQuery("revoke set on parameter log_min_error_statement from latchkey_migrator");
  await expect(migrate(config)).resolves.not.toThrow();
});
