import pg from "pg";
import { expect } from "vitest";
import { createLog } from "../../runtime/log.ts";
import { configFor, query } from "../../testing/postgres/role_cluster.ts";
import { checkRole } from "../checks/startup_checks.ts";
import { migrate } from "../migrate.ts";
import { test } from "./fixtures/role_fixtures.ts";

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
