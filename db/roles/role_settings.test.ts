import { readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { configFor, query } from "../../testing/postgres/role_cluster.ts";
import { migrate } from "../migrate.ts";
import { test } from "./fixtures/role_fixtures.ts";

test("the login roles have their time-outs set on the role, where a transaction pooler cannot lose them", async ({
  cluster,
}) => {
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

test("PUBLIC may neither connect to the database nor make temporary tables in it", async ({ cluster }) => {
  const url = await cluster.newDatabase("one");
  await cluster.superuserQuery("grant connect, temporary on database one to public");
  await migrate(configFor(url, "first"));
  expect(
    await cluster.superuserQuery(
      `select has_database_privilege('public', 'one', 'connect') as connect, has_database_privilege('public', 'one', 'temporary') as temporary`,
    ),
  ).toEqual([{ connect: false, temporary: false }]);
});

test("settings that a role has set for itself, for all databases or for ours, are removed by the next migration", async ({
  cluster,
}) => {
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const settings = () =>
    cluster.superuserQuery(
      `select s.setrole::regrole::text as role, s.setdatabase, s.setconfig from pg_db_role_setting s
       where s.setrole::regrole::text ~ '^latchkey_' order by 1, 2`,
    );
  const before = await settings();
  expect(before.length).toBe(3);
  await query(
    config.SERVER_DATABASE_URL,
    `alter role latchkey_server set statement_timeout = 0;
     alter role latchkey_server set row_security = off`,
  );
  await query(config.WORKER_DATABASE_URL, "alter role latchkey_worker in database one set role = 'none'");
  expect(await settings()).not.toEqual(before);
  await migrate(config);
  expect(await settings()).toEqual(before);
});

test("settings of a role in a database that is not ours are left alone", async ({ cluster }) => {
  const config = configFor(await cluster.newDatabase("one"), "first");
  await migrate(config);
  const role = "alter role latchkey_worker in database postgres";
  onTestFinished(() => cluster.superuserQuery(`${role} reset work_mem`).then(() => undefined));
  await cluster.superuserQuery(`${role} set work_mem = '1MB'`);
  await migrate(config);
  expect(
    await cluster.superuserQuery(
      `select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
       where s.setrole = 'latchkey_worker'::regrole and d.datname = 'postgres'`,
    ),
  ).toEqual([{ setconfig: ["work_mem=1MB"] }]);
});

test("the text of GraphQL's statements stays out of the log if the migrator has the right to configure that", async ({
  cluster,
}) => {
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

  // Without that right the migration still succeeds.
  await cluster.superuserQuery("revoke set on parameter log_min_error_statement from latchkey_migrator");
  await expect(migrate(config)).resolves.not.toThrow();
});

test("a role whose own time-out ends its every statement is repaired, and no pooler is blamed", async ({ cluster }) => {
  const config = configFor(await cluster.newDatabase("one"), "first");
  await migrate(config);
  await cluster.superuserQuery(
    `alter role latchkey_server set statement_timeout = '1ms'; alter role latchkey_server in database one set statement_timeout = '1ms'`,
  );
  await expect(query(config.SERVER_DATABASE_URL, "select pg_sleep(1)")).rejects.toMatchObject({
    code: "57014",
  });
  await migrate(config);
  expect(
    await query(config.SERVER_DATABASE_URL, "select current_setting('statement_timeout') as statement_timeout"),
  ).toEqual([{ statement_timeout: "10s" }]);
});

test("a role that inherits what it may only become is repaired, and what only a superuser gave is named", async ({
  cluster,
}) => {
  const config = configFor(await cluster.newDatabase("one"), "first");
  await migrate(config);
  await cluster.superuserQuery("alter role latchkey_graphql inherit; alter role latchkey_server inherit");
  if (cluster.postgres.major >= 16)
    await cluster.superuserQuery(
      "set role latchkey_migrator; grant latchkey_admin to latchkey_graphql with inherit true",
    );
  await cluster.superuserQuery("alter role latchkey_worker bypassrls; grant pg_read_all_data to latchkey_server");
  onTestFinished(() =>
    cluster
      .superuserQuery("alter role latchkey_worker nobypassrls; revoke pg_read_all_data from latchkey_server")
      .then(() => undefined),
  );
  const said: string[] = [];
  await migrate(config, (line) => said.push(line));
  expect(said).toEqual([
    expect.stringMatching(
      /^warning: latchkey_server must not be a member of pg_read_all_data\. As superuser: revoke pg_read_all_data from latchkey_server granted by \w+$/,
    ),
    "warning: latchkey_worker must not have the attribute bypassrls. As superuser: alter role latchkey_worker nobypassrls",
  ]);
  expect(
    await cluster.superuserQuery(
      `select r.rolinherit as role, pg_has_role('latchkey_graphql', 'latchkey_admin', 'usage') as admin from pg_roles r
       where r.rolname in ('latchkey_graphql', 'latchkey_server')`,
    ),
  ).toEqual([
    { role: false, admin: false },
    { role: false, admin: false },
  ]);
});
