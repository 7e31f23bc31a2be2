import { expect } from "vitest";
import { startNewCluster } from "../../testing/postgres/new_cluster.ts";
import {
  addHbaRule,
  configFor,
  query,
  startRoleCluster,
  type RoleCluster,
} from "../../testing/postgres/role_cluster.ts";
import { test as baseTest } from "./fixtures/role_fixtures.ts";
import { migrate } from "../migrate.ts";

/** `unused` is a cluster without the roles of Latchkey. */
const test = baseTest.extend("unused", async ({}, { onCleanup }) => {
  const cluster = await startRoleCluster();
  onCleanup(() => cluster.postgres.stop());
  return cluster;
});

const elsewhere = (variable: string) => ({
  name: "OperatorError",
  message: `${variable} leads to another database than DATABASE_URL: it must be the same.`,
});

/** The same address through the cluster's Unix socket. */
function viaSocket(url: string, { postgres }: RoleCluster): string {
  return `${url}?host=${encodeURIComponent(postgres.socketFolder ?? "")}`;
}

test("an address that leads to another database is refused, whether or not its password is new", async ({
  cluster,
}) => {
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first");
  const other = new URL(config.WORKER_DATABASE_URL);
  other.pathname = "/postgres";
  for (let time = 0; time < 2; time++)
    await expect(migrate({ ...config, WORKER_DATABASE_URL: other.href })).rejects.toMatchObject(
      elsewhere("WORKER_DATABASE_URL"),
    );
});

test.for([
  ["leads to another database", "/postgres", /^SERVER_DATABASE_URL leads to another database/],
  ["leads to a closed database", "/closed", /^SERVER_DATABASE_URL leads to another database/],
  ["leads nowhere", "/missing", /^The database of SERVER_DATABASE_URL cannot be reached: .*"missing"/],
  ["has no password", "/one", /^SERVER_DATABASE_URL has no password, and latchkey_server needs one\.$/],
] as const)(
  "at a first installation, an address that %s is refused before roles are made or rights change",
  async ([reason, database, message], { unused }) => {
    const url = await unused.newDatabase("one");
    await unused.superuserQuery("create database closed");
    await unused.superuserQuery("revoke connect on database closed from public");
    const config = configFor(url, "first");
    const wrong = new URL(config.SERVER_DATABASE_URL);
    wrong.pathname = database;
    if (reason === "has no password") wrong.password = "";
    const state = () =>
      query(
        url,
        `select array(select rolname::text from pg_roles where rolname ~ '^latchkey') as roles, datacl::text as acl
         from pg_database where datname = 'one'`,
      );
    const before = await state();
    await expect(migrate({ ...config, SERVER_DATABASE_URL: wrong.href })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(message) as string,
    });
    expect(await state()).toEqual(before);
  },
);

test("an address of another cluster that has the migrator's role is refused, and no password changes", async ({
  cluster,
}) => {
  const config = configFor(await cluster.newDatabase("one"), "first");
  await migrate(config);
  const other = await startNewCluster();
  try {
    await query(other.superuserUrl, "create role latchkey_migrator login password 'of the migrator'");
    const SERVER_DATABASE_URL = `postgres://latchkey_server:second@127.0.0.1:${other.port}/postgres`;
    await expect(migrate({ ...config, SERVER_DATABASE_URL })).rejects.toMatchObject(elsewhere("SERVER_DATABASE_URL"));
  } finally {
    await other.stop();
  }
  expect(await query(config.SERVER_DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a migrator that cannot log in with the processes' addresses sets their passwords, and detects a wrong address afterwards", async ({
  unused,
}) => {
  const url = await unused.newDatabase("one");
  // The migrator can log in through the socket only, as with peer authentication.
  await addHbaRule(unused, "host all latchkey_migrator 127.0.0.1/32 reject");
  const DATABASE_URL = viaSocket(url, unused);
  const lines = ["server", "graphql", "worker"].map((name) => `password set: latchkey_${name}`);
  for (const password of ["first", "second"]) {
    const said: string[] = [];
    await migrate({ ...configFor(url, password), DATABASE_URL }, (line) => said.push(line));
    expect(said).toEqual(expect.arrayContaining(lines));
    const { SERVER_DATABASE_URL } = configFor(url, password);
    expect(await query(SERVER_DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
  }
  const other = await startNewCluster();
  try {
    const SERVER_DATABASE_URL = `postgres://latchkey_server:third@127.0.0.1:${other.port}/postgres`;
    await expect(migrate({ ...configFor(url, "third"), DATABASE_URL, SERVER_DATABASE_URL })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(
        /^The password of latchkey_server was set, and SERVER_DATABASE_URL still does not log in \(.*\): does it lead to/,
      ) as string,
    });
  } finally {
    await other.stop();
  }
});

test("an address that gives role and password as parameters is understood, and one without a password is refused", async ({
  cluster,
}) => {
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const { hostname, port } = new URL(url);
  const SERVER_DATABASE_URL = `postgres:///one?host=${hostname}&port=${port}&user=latchkey_server&password=second`;
  await migrate({ ...config, SERVER_DATABASE_URL });
  expect(await query(SERVER_DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
  const without = `postgres://latchkey_server@${hostname}:${port}/one`;
  await expect(migrate({ ...config, SERVER_DATABASE_URL: without })).rejects.toMatchObject({
    name: "OperatorError",
    message: "SERVER_DATABASE_URL has no password, and latchkey_server needs one.",
  });
});

test("an address that names another role is refused before roles are made or rights change", async ({ cluster }) => {
  const url = await cluster.newDatabase("unchanged");
  await cluster.superuserQuery("grant connect on database unchanged to public");
  const config = configFor(url, "first", { WORKER_DATABASE_URL: url });
  await expect(migrate(config)).rejects.toMatchObject({ name: "OperatorError" });
  const acl = "select has_database_privilege('pg_monitor', 'unchanged', 'connect') as public_may_connect";
  expect(await query(url, acl)).toEqual([{ public_may_connect: true }]);
  await cluster.superuserQuery("drop database unchanged");
});

test("an address that logs in as another role is refused with a sentence", async ({ cluster }) => {
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first", { WORKER_DATABASE_URL: url });
  await expect(migrate(config)).rejects.toMatchObject({
    name: "OperatorError",
    message: "WORKER_DATABASE_URL must log in as latchkey_worker or latchkey_worker_b, not as latchkey_migrator.",
  });
});
