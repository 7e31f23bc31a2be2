import { readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { configFor, query } from "../testing/role_cluster.ts";
import { migrate } from "./migrate.ts";
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
