import type pg from "pg";
import type { PgClient } from "postgraphile/@dataplan/pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import { readFrom } from "./reads.ts";
import { openTransaction, type Transaction } from "./transaction.ts";

const id = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const settings = { role: "latchkey_user", "latchkey.user_id": id };
const whoAmI = "select current_user as role, current_setting('latchkey.user_id', true) as id";

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  const connectionString = serverConfig(database.env).GRAPHQL_DATABASE_URL;
  // One connection: what one request leaves behind, the next one meets.
  pool = openPool(
    { connectionString, application_name: "transaction test", max: 1, pipeline: true },
    createLog("test", "silent"),
  );
});
afterEach(() => pool.end());

const open = (
  given: {
    readOnly?: boolean;
    maxMs?: number;
    prepared?: boolean;
    settings?: { role: string };
  } = {},
): Transaction => {
  const { prepared = true, ...options } = given;
  const access = {
    pool,
    prepared,
    read: readFrom(pool, prepared),
    readAlone: readFrom(pool, prepared),
  };
  const usual = { readOnly: false, readsAlone: false, maxMs: 10_000, maxWrittenRows: 100 };
  return openTransaction(access, { settings, ...usual, ...options });
};

const query = async (transaction: Transaction, text: string): Promise<unknown> =>
  transaction.withPgClient(null, async (client) => (await client.query({ text })).rows[0]);

test("role and claims are the request's, and gone with it", async () => {
  const transaction = open();
  expect(await query(transaction, whoAmI)).toEqual({ role: "latchkey_user", id });
  await transaction.end("commit");
  const { rows } = await pool.query(whoAmI);
  expect(rows).toEqual([{ role: "latchkey_graphql", id: "" }]);
});

test("the log-in role itself may do nothing", async () => {
  await expect(pool.query('select id from "user".session')).rejects.toThrow(/permission denied/);
});

test("where the role cannot be taken, nothing that was sent behind it is done", async () => {
  const transaction = open({ settings: { role: "latchkey_nobody" } });
  await expect(query(transaction, "select pg_advisory_lock(4711)")).rejects.toThrow(/latchkey_nobody/);
  await transaction.end("rollback");
  // A lock of the session would outlive the rollback.
  expect(await database.query("select count(*)::int from pg_locks where objid = 4711")).toEqual([
    { count: 0 },
  ]);
});

test("a request that asks for nothing takes no connection", async () => {
  const held = await pool.connect();
  await open().end("commit");
  held.release();
});

test("a query cannot write", async () => {
  const transaction = open({ readOnly: true });
  await expect(query(transaction, "create temporary table written ()")).rejects.toThrow(/read-only/);
  await transaction.end("rollback");
});

test("a query that has read 4 MB is refused before its answer is put together", async () => {
  const transaction = open({ readOnly: true });
  await query(transaction, "select repeat('x', 2000000) as x");
  await expect(query(transaction, "select repeat('x', 2000001) as x")).rejects.toMatchObject({
    code: "limit-exceeded",
  });
  await transaction.end("rollback");
});

test("after a failure the rest fails alike, without asking the database", async () => {
  const transaction = open();
  const [first, second] = await Promise.allSettled([
    query(transaction, "select 1/0"),
    query(transaction, "select 1"),
  ]);
  expect(second).toEqual(first);
  expect(second).toMatchObject({ reason: { code: "22012" } });
  await transaction.end("rollback");
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a connection that dies is not used again", async () => {
  const transaction = open();
  const { pid } = (await query(transaction, "select pg_backend_pid() as pid")) as { pid: number };
  await database.query("select pg_terminate_backend($1)", [pid]);
  await expect(query(transaction, "select 1")).rejects.toThrow();
  await transaction.end("rollback").catch(() => undefined);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a request whose time is over begins no further statement", async () => {
  let passed = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
  onTestFinished(() => clock.mockRestore());
  const transaction = open({ maxMs: 60_000 });
  await transaction.withPgClient(null, async (client) => {
    await client.query({ text: "select 1" });
    passed = 60_001;
  });
  await expect(query(transaction, "select 1")).rejects.toMatchObject({ code: "timeout" });
  await transaction.end("rollback");
});

const timeouts =
  "select s.setting::int as statement, i.setting::int as idle from pg_settings s, pg_settings i " +
  "where s.name = 'statement_timeout' and i.name = 'idle_in_transaction_session_timeout'";

test("a mutation's statements share its time, and a connection that it leaves has its own again", async () => {
  const transaction = open({ maxMs: 5_000 });
  const first = (await query(transaction, timeouts)) as { statement: number; idle: number };
  expect(first.statement).toBeLessThanOrEqual(5_000);
  expect(first.idle).toBe(5_000);
  await query(transaction, "select pg_sleep(0.1)");
  const third = (await query(transaction, timeouts)) as { statement: number };
  expect(third.statement).toBeLessThanOrEqual(first.statement - 100);
  await transaction.end("commit");
  expect((await pool.query(timeouts)).rows).toEqual([{ statement: 10_000, idle: 10_000 }]);
});

test("a server that is busy for longer than its statements may take keeps the transaction", async () => {
  const transaction = open({ maxMs: 500 });
  expect(await query(transaction, timeouts)).toMatchObject({ idle: 2_000 });
  await transaction.end("commit");
});

test("a mutation's statement that takes longer than is left is a timeout", async () => {
  const transaction = open({ maxMs: 500 });
  // On a slow machine the time is over before the statement begins.
  await expect(query(transaction, "select pg_sleep(30)")).rejects.toMatchObject({
    code: expect.stringMatching(/^(57014|timeout)$/) as string,
  });
  await transaction.end("rollback");
});

/** What the one connection has prepared for statements of this name. */
const preparedAs = async (name: string): Promise<unknown[]> => {
  const text = "select name from pg_prepared_statements where name like '%' || $1 order by name";
  return (await pool.query<{ name: string }>(text, [name])).rows.map((row) => row.name);
};
const ask = async (given: Parameters<typeof open>[0], name: string | undefined): Promise<unknown> => {
  const transaction = open(given);
  const ask = (client: PgClient) =>
    client.query<{ role: string }>({
      text: "select current_user as role",
      ...(name !== undefined && { name }),
    });
  const { rows } = await transaction.withPgClient(null, ask);
  await transaction.end("commit");
  return rows[0]?.role;
};

test("a statement is prepared for one role and for no other", async () => {
  for (const role of ["latchkey_user", "latchkey_guest", "latchkey_user"])
    expect(await ask({ settings: { role } }, "mine")).toBe(role);
  expect(await preparedAs("mine")).toEqual(["latchkey_guest mine", "latchkey_user mine"]);
});

test("behind a pooler none is, nor one without a name", async () => {
  await ask({ prepared: false }, "nobody's");
  await ask({}, undefined);
  expect(await preparedAs("nobody's")).toEqual([]);
  expect(await preparedAs("")).not.toContain("latchkey_user undefined");
});

test("a connection keeps a hundred statements, and answers what comes after them too", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `of many ${index}`);
  for (const name of names) expect(await ask({}, name)).toBe("latchkey_user");
  expect(await preparedAs("")).toHaveLength(100);
  expect(await ask({}, "mine")).toBe("latchkey_user");
});

test("a migration that changes what a prepared statement answers is met once", async () => {
  const mutate = async () => {
    const transaction = open();
    const asked = { text: "select a from public.changing", name: "changing" };
    const answer = transaction.withPgClient(null, (client) => client.query(asked));
    await answer.catch(() => undefined);
    await transaction.end("rollback");
    return (await answer).rows;
  };
  await database.query("create table public.changing as select 1 as a");
  await database.query("grant select on public.changing to latchkey_user");
  expect(await mutate()).toEqual([{ a: 1 }]);
  await database.query("alter table public.changing alter column a type text");
  await expect(mutate()).rejects.toThrow(/result type/);
  expect(await mutate()).toEqual([{ a: "1" }]);
});
