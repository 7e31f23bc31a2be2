import pg from "pg";
import { expect } from "vitest";
import { ensureDatabase } from "../../embedded/index.ts";
import { startNewCluster } from "../../testing/postgres/new_cluster.ts";
import { eventually } from "../../testing/eventually.ts";
import { configFor, query } from "../../testing/postgres/role_cluster.ts";
import { migrate } from "../migrate.ts";
import { readSql } from "../sql_files.ts";
import { test } from "./fixtures/role_fixtures.ts";

test("of two migrators that create the roles of one cluster at once, the later one continues with the earlier one's roles", async ({
  cluster,
}) => {
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
    { name: "latchkey_application", login: false, inherit: true },
    { name: "latchkey_graphql", login: true, inherit: false },
    { name: "latchkey_guest", login: false, inherit: true },
    { name: "latchkey_hook", login: false, inherit: true },
    { name: "latchkey_owner", login: false, inherit: true },
    { name: "latchkey_server", login: true, inherit: false },
    { name: "latchkey_user", login: false, inherit: true },
    { name: "latchkey_worker", login: true, inherit: false },
  ]);
});

test("a migrator without CREATEROLE on a cluster without our roles is refused with a sentence", async () => {
  const other = await startNewCluster();
  try {
    const url = await ensureDatabase(other, { role: "poor", password: "poor", database: "poor" });
    await query(other.superuserUrl, "alter role poor nocreaterole");
    await expect(migrate(configFor(url, "first"))).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(/^The roles of Latchkey cannot be created: .*with CREATEROLE/) as string,
    });
  } finally {
    await other.stop();
  }
});

test("the migrator of a second installation, which does not own the roles, is refused with a sentence", async ({
  cluster,
  skip,
}) => {
  // Before 16 a role with CREATEROLE may change every role that is no superuser.
  skip(cluster.postgres.major < 16);
  await migrate(configFor(await cluster.newDatabase("one"), "first"));
  const url = await cluster.newDatabase("foreign", "another_migrator");
  await expect(migrate(configFor(url, "first"))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringContaining("one installation fits into a cluster") as string,
  });
});

test("if another session holds the migration lock, the migration ends with a sentence that names the holder", async ({
  cluster,
}) => {
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
