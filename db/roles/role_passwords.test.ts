import { readFileSync } from "node:fs";
import pg from "pg";
import { expect } from "vitest";
import { migratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { configFor, logins, query } from "../../testing/postgres/role_cluster.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { migrate } from "../migrate.ts";
import { test } from "./fixtures/role_fixtures.ts";

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
