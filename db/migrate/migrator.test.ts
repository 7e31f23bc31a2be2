import { expect } from "vitest";
import { ensureDatabase } from "../../embedded/index.ts";
import { configFor, query, startRoleCluster } from "../../testing/postgres/role_cluster.ts";
import { test } from "../roles/fixtures/role_fixtures.ts";
import { migrate } from "../migrate.ts";

const refusal = (message: RegExp) => ({
  name: "OperatorError",
  message: expect.stringMatching(message) as string,
});

test("a migrator that does not own the database is refused, and changes nothing", async ({ cluster }) => {
  const owners = await cluster.newDatabase("one");
  const url = new URL(await ensureDatabase(cluster.postgres, { role: "other", password: "p", database: "others" }));
  url.pathname = "/one";
  await cluster.superuserQuery("grant connect on database one to other");
  await expect(migrate(configFor(url.href, "first"))).rejects.toMatchObject(
    refusal(/^DATABASE_URL must name the owner of the database one, which is latchkey_migrator, not other\.$/),
  );
  expect(await query(owners, "select to_regnamespace('migration') as schema")).toEqual([{ schema: null }]);
  expect(await query(owners, "select from pg_auth_members where member = 'other'::regrole")).toEqual([]);
});

test("a member of the role that owns the database may migrate it", async ({ cluster }) => {
  const url = await cluster.newDatabase("one");
  await cluster.superuserQuery(
    "create role owners; grant owners to latchkey_migrator; alter database one owner to owners",
  );
  await migrate(configFor(url, "first"));
});

test("a superuser is refused in production, and warned of elsewhere", async ({ cluster }) => {
  await cluster.newDatabase("one");
  const url = new URL(cluster.postgres.superuserUrl);
  url.pathname = "/one";
  await expect(migrate(configFor(url.href, "first"))).rejects.toMatchObject(
    refusal(/^DATABASE_URL names the superuser \w+: create a role that owns the database/),
  );
  const said: string[] = [];
  await migrate(configFor(url.href, "first", { NODE_ENV: "development" }), (line) => said.push(line));
  expect(said).toContainEqual(expect.stringMatching(/^warning: DATABASE_URL names the superuser/));
});

test("the owner of a database that a superuser migrated gets a message how to go on, and can", async () => {
  // A cluster of its own: the roles must be the superuser's.
  const cluster = await startRoleCluster();
  try {
    const url = await cluster.newDatabase("one");
    const superuserUrl = new URL(cluster.postgres.superuserUrl);
    superuserUrl.pathname = "/one";
    await migrate(configFor(superuserUrl.href, "first", { NODE_ENV: "development" }));
    const failure: unknown = await migrate(configFor(url, "first")).catch((error: unknown) => error);
    expect(failure).toMatchObject(refusal(/^Another role than latchkey_migrator migrated the database one before\./));
    const [, remedy = ""] = /run as superuser: (.*;)$/.exec((failure as Error).message) ?? [];
    await cluster.superuserQuery(remedy);
    await migrate(configFor(url, "first"));
    await migrate(configFor(url, "second"));
  } finally {
    await cluster.postgres.stop();
  }
});

test("a database that is read-only is refused with a sentence", async ({ cluster }) => {
  const url = await cluster.newDatabase("read_only");
  await cluster.superuserQuery("alter database read_only set default_transaction_read_only = on");
  await expect(migrate(configFor(url, "first"))).rejects.toMatchObject(
    refusal(/^The database of DATABASE_URL is read-only: the address has to lead to the primary\.$/),
  );
});

test("a queue that belongs to another role is refused, and options of the address do not make it so", async ({
  cluster,
}) => {
  const url = new URL(await cluster.newDatabase("options"));
  const owner = "select nspowner::regrole::text as owner from pg_namespace where nspname = 'graphile_worker'";
  await query(url.href, "create schema graphile_worker");
  await expect(migrate(configFor(url.href, "first"))).rejects.toMatchObject(
    refusal(/^The schema graphile_worker of the database options belongs to latchkey_migrator: /),
  );
  await query(url.href, "drop schema graphile_worker cascade");
  url.searchParams.set("options", "-c geqo=off");
  await migrate(configFor(url.href, "first"));
  expect(await query(url.href, owner)).toEqual([{ owner: "latchkey_owner" }]);
  await migrate(configFor(url.href, "first"));
});
