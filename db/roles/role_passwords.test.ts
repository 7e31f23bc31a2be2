import { readFileSync } from "node:fs";
import pg from "pg";
import { expect } from "vitest";
import { migratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { test } from "./fixtures/role_fixtures.ts";
import { addHbaRule, configFor, logins, query } from "../../testing/postgres/role_cluster.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { migrate } from "../migrate.ts";
import { checkRole } from "../checks/startup_checks.ts";
import { createLog } from "../../runtime/log.ts";

test("an installation with other passwords than those of the cluster's roles is refused, and the roles stay as they are", async ({
  cluster,
}) => {
  const [first, second] = [await cluster.newDatabase("one"), await cluster.newDatabase("two")];
  const config = configFor(first, "first");
  await migrate(config);
  await expect(migrate(configFor(second, "second"))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(
      /^The roles of this cluster belong to the installation in database .*one.*, and SERVER_DATABASE_URL has/,
    ) as string,
  });
  expect(await query(config.SERVER_DATABASE_URL, "select 1 as one"), "its processes still log in").toEqual([
    { one: 1 },
  ]);
  await cluster.superuserQuery("drop database two");
});

test("a second installation that is refused has changed nothing, although its migrator may change roles", async ({
  cluster,
}) => {
  await migrate(configFor(await cluster.newDatabase("one"), "first"));
  const second = await cluster.newDatabase("two", "second_migrator");
  await cluster.superuserQuery("grant connect on database two to public");
  await expect(migrate(configFor(second, "second"))).rejects.toMatchObject({ name: "OperatorError" });
  expect(
    await query(
      second,
      `select pg_has_role('second_migrator', 'latchkey_owner', 'member') as member,
              has_database_privilege('latchkey_owner', 'two', 'create') as owner_may_create,
              has_database_privilege('latchkey_owner', 'two', 'connect') as public_may_connect`,
    ),
  ).toEqual([{ member: false, owner_may_create: false, public_may_connect: true }]);
  await cluster.superuserQuery("drop database two");
});

test("a second installation is refused where pg_hba.conf refuses the login roles, and nothing has changed", async ({
  cluster,
}) => {
  await migrate(configFor(await cluster.newDatabase("one"), "first"));
  const second = await cluster.newDatabase("two", "second_migrator");
  const restore = await addHbaRule(cluster, "host two latchkey_server 127.0.0.1/32 reject");
  try {
    await expect(migrate(configFor(second, "first"))).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(
        /^The roles of this cluster belong to .*one.*, and the role of SERVER_DATABASE_URL cannot log in \(.*pg_hba/,
      ) as string,
    });
    const member = "select pg_has_role('second_migrator', 'latchkey_owner', 'member') as member";
    expect(await query(second, member)).toEqual([{ member: false }]);
  } finally {
    await restore();
  }
  await cluster.superuserQuery("drop database two");
});

test("a password that changed in the addresses takes effect at the next migration, whatever characters it has", async ({
  cluster,
}) => {
  const url = await cluster.newDatabase("one");
  const old = configFor(url, "first");
  await migrate(old);
  const changed = configFor(url, "%@ '\\$$;/ü");
  const said: string[] = [];
  await migrate(changed, (line) => said.push(line));
  expect(said).toEqual(["server", "graphql", "worker"].map((name) => `password set: latchkey_${name}`));
  for (const name of ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"] as const) {
    const role = `latchkey_${name.split("_")[0]!.toLowerCase()}`;
    expect(await query(changed[name], "select current_user as name")).toEqual([{ name: role }]);
    await expect(query(old[name], "select 1")).rejects.toMatchObject({ code: "28P01" });
  }
});

test("passwords that nobody gave are not replaced while an installation has others: the message says what to set", async ({
  cluster,
}) => {
  const url = await cluster.newDatabase("one");
  const environment = (home: string, more: Environment = {}) =>
    migratorConfig({ NODE_ENV: "development", DATABASE_URL: url, LATCHKEY_HOME: home, ...more });
  const [home, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const config = environment(home);
  // As npm start does with the embedded database, which nobody else uses.
  await migrate({ ...config, derivedAddresses: [] });
  const worker = new pg.Client({ connectionString: config.WORKER_DATABASE_URL });
  await worker.connect();
  try {
    await expect(migrate(environment(elsewhere))).rejects.toMatchObject({
      name: "OperatorError",
      message:
        `${elsewhere} does not have the passwords of latchkey_server, latchkey_graphql, latchkey_worker. New ones would cut off the ` +
        "servers and workers of this installation (connections now: 1). Set LATCHKEY_HOME to the folder that they use, or " +
        "SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL to their addresses. " +
        "Addresses with new passwords replace the old ones.",
    });
  } finally {
    await worker.end();
  }
  expect(await query(config.SERVER_DATABASE_URL, "select 1 as one"), "the password is as it was").toEqual([{ one: 1 }]);
  await migrate(environment(home));
  const { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL } = configFor(url, "new");
  await migrate(environment(elsewhere, { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL }));
  expect(await query(SERVER_DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a role that a rotation has retired gets no password again, until it may log in", async ({ cluster }) => {
  const url = await cluster.newDatabase("one");
  const old = configFor(url, "leaked");
  await migrate(old);
  const address = new URL(old.SERVER_DATABASE_URL);
  [address.username, address.password] = ["latchkey_server_b", "new"];
  const rotated = { ...old, SERVER_DATABASE_URL: address.href };
  await migrate(rotated);
  await query(url, "alter role latchkey_server nologin password null");
  try {
    await expect(migrate(old)).rejects.toMatchObject({
      name: "OperatorError",
      message:
        "A rotation of the passwords has retired latchkey_server (SERVER_DATABASE_URL): migrate with the addresses that replaced these. " +
        "For the next rotation, with new passwords in these addresses, run first as the migrator: " +
        "alter role latchkey_server login; (docs/operations.md#passwords-of-the-database-roles)",
    });
    await migrate(rotated);
    const retired = "select rolcanlogin, rolpassword from pg_authid where rolname = 'latchkey_server'";
    expect(await cluster.superuserQuery(retired)).toEqual([{ rolcanlogin: false, rolpassword: null }]);
  } finally {
    await query(url, "alter role latchkey_server login");
  }
  await migrate(configFor(url, "newer"));
  const { SERVER_DATABASE_URL } = configFor(url, "newer");
  expect(await query(SERVER_DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
  await cluster.superuserQuery("drop owned by latchkey_server_b; drop role latchkey_server_b");
});

test("the check at start looks at the second login role too, which the session becomes again by set role none", async ({
  cluster,
}) => {
  const config = configFor(await cluster.newDatabase("one"), "first");
  const address = new URL(config.SERVER_DATABASE_URL);
  address.username = "latchkey_server_b";
  await migrate({ ...config, SERVER_DATABASE_URL: address.href });
  const check = async () => {
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    try {
      const run: pg.Pool["query"] = client.query.bind(client);
      await checkRole({ query: run, log: createLog("test", "silent"), config: { production: true } });
    } finally {
      await client.end();
    }
  };
  await check();
  for (const [give, take, fault] of [
    ["alter role latchkey_server_b superuser", "alter role latchkey_server_b nosuperuser", "is superuser"],
    ["alter role latchkey_server_b bypassrls", "alter role latchkey_server_b nobypassrls", "bypasses row-level"],
    ["alter role latchkey_server_b createrole", "alter role latchkey_server_b nocreaterole", "makes roles"],
    ["alter role latchkey_server_b replication", "alter role latchkey_server_b noreplication", "replicates"],
    [
      "grant latchkey_owner to latchkey_server_b",
      "revoke latchkey_owner from latchkey_server_b",
      "may become latchkey_hook, latchkey_owner",
    ],
  ] as const) {
    await cluster.superuserQuery(give);
    await expect(check(), give).rejects.toThrow(`The database role latchkey_server_b ${fault}`);
    await cluster.superuserQuery(take);
  }
  await cluster.superuserQuery("drop owned by latchkey_server_b; drop role latchkey_server_b");
});

test("a password with a bare % is set as the processes decode it", async ({ cluster }) => {
  const config = configFor(await cluster.newDatabase("one"), "first");
  await migrate(config);
  const SERVER_DATABASE_URL = config.SERVER_DATABASE_URL.replace(":first@", ":50%off@");
  await migrate({ ...config, SERVER_DATABASE_URL });
  expect(await query(SERVER_DATABASE_URL, "select current_user as name")).toEqual([{ name: "latchkey_server" }]);
});

test.for([
  ["another address leads nowhere", { WORKER_DATABASE_URL: "postgres://latchkey_worker:second@127.0.0.1:1/one" }],
  ["a setting is refused", { OTP_LENGTH: "99" }],
] as const)("when %s, no password has changed", async ([, mistake], { cluster }) => {
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const said: string[] = [];
  await expect(migrate(configFor(url, "second", mistake), (line) => said.push(line))).rejects.toMatchObject({
    name: "OperatorError",
  });
  expect(said).toEqual([]);
  expect(await query(config.SERVER_DATABASE_URL, "select 1 as one")).toEqual([{ one: 1 }]);
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

test("a password that works already is not sent again", async ({ cluster }) => {
  const url = await cluster.newDatabase("one");
  await migrate(configFor(url, "stays"));
  const verifiers = () =>
    cluster.superuserQuery("select rolname, rolpassword from pg_authid where rolname ~ '^latchkey_' order by 1");
  const before = await verifiers();
  await migrate(configFor(url, "stays"));
  expect(await verifiers()).toEqual(before);
});

test("no statement contains a password, only its SCRAM verifier", async ({ cluster }) => {
  const url = await cluster.newDatabase("one");
  await migrate(configFor(url, "not-to-be-logged"));
  const log = readFileSync(cluster.postgres.log, "utf8");
  for (const name of logins) expect(log).toContain(`alter role latchkey_${name} password 'SCRAM-SHA-256$4096:`);
  expect(log).not.toContain("not-to-be-logged");
  expect(log).not.toContain("of the migrator");
});

test("an address that logs in as another role is refused with a sentence", async ({ cluster }) => {
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first", { WORKER_DATABASE_URL: url });
  await expect(migrate(config)).rejects.toMatchObject({
    name: "OperatorError",
    message: "WORKER_DATABASE_URL must log in as latchkey_worker or latchkey_worker_b, not as latchkey_migrator.",
  });
});

test("a migrator that may no longer administer the roles, as after an upgrade from 15, can migrate as long as the roles lack nothing", async ({
  skip,
  cluster,
}) => {
  skip(cluster.postgres.major < 16);
  const url = await cluster.newDatabase("one");
  const config = configFor(url, "first");
  await migrate(config);
  const roles =
    "latchkey_owner, latchkey_server, latchkey_graphql, latchkey_worker, latchkey_guest, latchkey_user, latchkey_admin, latchkey_application, latchkey_hook";
  // As PostgreSQL 15 leaves them: memberships that a superuser granted, without the right to grant them to others.
  await cluster.superuserQuery(
    `revoke admin option for ${roles} from latchkey_migrator cascade;
     grant latchkey_owner to latchkey_migrator with inherit true, set true; grant latchkey_guest, latchkey_user, latchkey_admin to latchkey_graphql; grant latchkey_hook to latchkey_owner`,
  );
  try {
    await expect(query(url, "grant latchkey_admin to latchkey_graphql")).rejects.toMatchObject({
      code: "42501",
    });
    await migrate(config);
    await expect(migrate(configFor(url, "second"))).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(
        /^latchkey_server does not log in .* grant latchkey_server to latchkey_migrator with admin option\.$/,
      ) as string,
    });
  } finally {
    await cluster.superuserQuery(`grant ${roles} to latchkey_migrator with admin option`);
  }
});
