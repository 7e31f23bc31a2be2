import type { PgClient } from "postgraphile/@dataplan/pg";
import { expect } from "vitest";
import { test as baseTest, type Options } from "./fixtures/transaction_fixtures.ts";

const test = baseTest
  /** Returns the prepared statements of the connection whose names end like this. */
  .extend("preparedNames", ({ onlyConnection }) => async (name: string): Promise<unknown[]> => {
    const text = "select name from pg_prepared_statements where name like '%' || $1 order by name";
    return (await onlyConnection.query<{ name: string }>(text, [name])).rows.map((row) => row.name);
  })
  /** Runs a statement of this name. */
  .extend("readRole", ({ open }) => async (options: Options, name: string | undefined): Promise<unknown> => {
    const transaction = open(options);
    const run = (client: PgClient) =>
      client.query<{ role: string }>({
        text: "select current_user as role",
        ...(name !== undefined && { name }),
      });
    const { rows } = await transaction.withPgClient(null, run);
    await transaction.end("commit");
    return rows[0]?.role;
  });

test("a prepared statement is used by one role only", async ({ readRole, preparedNames }) => {
  for (const role of ["latchkey_user", "latchkey_guest", "latchkey_user"])
    expect(await readRole({ settings: { role } }, "mine")).toBe(role);
  expect(await preparedNames("mine")).toEqual(["latchkey_guest mine", "latchkey_user mine"]);
});

test("no statement is prepared behind a transaction pooler, and none without a name", async ({
  readRole,
  preparedNames,
}) => {
  await readRole({ prepareStatements: false }, "pooled");
  await readRole({}, undefined);
  expect(await preparedNames("pooled")).toEqual([]);
  expect(await preparedNames("")).not.toContain("latchkey_user undefined");
});

test("a connection prepares at most a hundred statements, and executes more without preparing them", async ({
  readRole,
  preparedNames,
}) => {
  const names = Array.from({ length: 120 }, (_, index) => `of many ${index}`);
  for (const name of names) expect(await readRole({}, name)).toBe("latchkey_user");
  expect(await preparedNames("")).toHaveLength(100);
  expect(await readRole({}, "mine")).toBe("latchkey_user");
});

test("a prepared statement whose result a migration changed fails once", async ({ open, database }) => {
  const mutate = async () => {
    const transaction = open();
    const statement = { text: "select a from public.changing", name: "changing" };
    const result = transaction.withPgClient(null, (client) => client.query(statement));
    await result.catch(() => undefined);
    await transaction.end("rollback");
    return (await result).rows;
  };
  await database.query("create table public.changing as select 1 as a");
  await database.query("grant select on public.changing to latchkey_user");
  expect(await mutate()).toEqual([{ a: 1 }]);
  await database.query("alter table public.changing alter column a type text");
  await expect(mutate()).rejects.toThrow(/result type/);
  expect(await mutate()).toEqual([{ a: "1" }]);
});
