import type pg from "pg";
import type { PgClient } from "postgraphile/@dataplan/pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serverConfig } from "../../../config/config.ts";
import { makeLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { makeDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import { createPooledRead } from "./reads.ts";
import { openTransaction, type Transaction } from "./transaction.ts";

const id = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const settings = { role: "latchkey_user", "latchkey.user_id": id };
const whoAmI = "select current_user as role, current_setting('latchkey.user_id', true) as id";

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  const connectionString = serverConfig(database.env).GRAPHQL_DATABASE_URL;
  // One connection, so that each request sees what the previous one left on it.
  pool = openPool(
    { connectionString, application_name: "transaction test", max: 1, pipeline: true },
    makeLog("test", "silent"),
  );
});
afterEach(() => pool.end());

interface Options {
  readOnly?: boolean;
  maxMs?: number;
  prepareStatements?: boolean;
  settings?: { role: string };
}
const open = ({ prepareStatements = true, ...options }: Options = {}): Transaction => {
  const read = createPooledRead(pool, prepareStatements);
  const database = { pool, prepareStatements, read, pooledRead: read };
  const defaults = { readOnly: false, usePool: false, maxMs: 10_000, maxWrittenRows: 100 };
  return openTransaction(database, { settings, ...defaults, ...options });
};

const query = async (transaction: Transaction, text: string): Promise<unknown> =>
  transaction.withPgClient(null, async (client) => (await client.query({ text })).rows[0]);

test("role and claims are set for the request, and reset after it", async () => {
  const transaction = open();
  expect(await query(transaction, whoAmI)).toEqual({ role: "latchkey_user", id });
  await transaction.end("commit");
  const { rows } = await pool.query(whoAmI);
  expect(rows).toEqual([{ role: "latchkey_graphql", id: "" }]);
});

test("the log-in role itself has no permissions", async () => {
  await expect(pool.query('select id from "user".session')).rejects.toThrow(/permission denied/);
});

test("if the role cannot be set, the statements pipelined behind it are not executed", async () => {
  const transaction = open({ settings: { role: "latchkey_nobody" } });
  await expect(query(transaction, "select pg_advisory_lock(4711)")).rejects.toThrow(/latchkey_nobody/);
  await transaction.end("rollback");
  // An advisory lock of the session would outlive the rollback.
  expect(await database.query("select count(*)::int from pg_locks where objid = 4711")).toEqual([
    { count: 0 },
  ]);
});

test("a request without statements takes no connection", async () => {
  const held = await pool.connect();
  await open().end("commit");
  held.release();
});

test("a query cannot write", async () => {
  const transaction = open({ readOnly: true });
  await expect(query(transaction, "create temporary table written ()")).rejects.toThrow(/read-only/);
  await transaction.end("rollback");
});

test("a query that has read more than 4 MB is refused before its response is assembled", async () => {
  const transaction = open({ readOnly: true });
  await query(transaction, "select repeat('x', 2000000) as x");
  await expect(query(transaction, "select repeat('x', 2000001) as x")).rejects.toMatchObject({
    code: "limit-exceeded",
  });
  await transaction.end("rollback");
});

test("after an error, the other statements fail with the same error, and are not sent", async () => {
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

test("a lost connection is not used again", async () => {
  const transaction = open();
  const { pid } = (await query(transaction, "select pg_backend_pid() as pid")) as { pid: number };
  await database.query("select pg_terminate_backend($1)", [pid]);
  await expect(query(transaction, "select 1")).rejects.toThrow();
  await transaction.end("rollback").catch(() => undefined);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a request whose time is used up sends no further statement", async () => {
  let elapsedMs = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + elapsedMs);
  onTestFinished(() => clock.mockRestore());
  const transaction = open({ maxMs: 60_000 });
  await transaction.withPgClient(null, async (client) => {
    await client.query({ text: "select 1" });
    elapsedMs = 60_001;
  });
  await expect(query(transaction, "select 1")).rejects.toMatchObject({ code: "timeout" });
  await transaction.end("rollback");
});

const timeouts =
  "select s.setting::int as statement, i.setting::int as idle from pg_settings s, pg_settings i " +
  "where s.name = 'statement_timeout' and i.name = 'idle_in_transaction_session_timeout'";

test("the statements of a mutation share its time, and its connection has the default time-outs afterwards", async () => {
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

test("a server that is busy for longer than the statement time-out keeps its transaction", async () => {
  const transaction = open({ maxMs: 500 });
  expect(await query(transaction, timeouts)).toMatchObject({ idle: 2_000 });
  await transaction.end("commit");
});

test("a mutation's statement that takes longer than the remaining time is a timeout", async () => {
  const transaction = open({ maxMs: 500 });
  // On a slow machine the time is used up before the statement is sent.
  await expect(query(transaction, "select pg_sleep(30)")).rejects.toMatchObject({
    code: expect.stringMatching(/^(57014|timeout)$/) as string,
  });
  await transaction.end("rollback");
});

/** The prepared statements of the connection whose names end like this. */
const preparedNames = async (name: string): Promise<unknown[]> => {
  const text = "select name from pg_prepared_statements where name like '%' || $1 order by name";
  return (await pool.query<{ name: string }>(text, [name])).rows.map((row) => row.name);
};
/** Runs a statement of this name. */
const readRole = async (options: Options, name: string | undefined): Promise<unknown> => {
  const transaction = open(options);
  const run = (client: PgClient) =>
    client.query<{ role: string }>({
      text: "select current_user as role",
      ...(name !== undefined && { name }),
    });
  const { rows } = await transaction.withPgClient(null, run);
  await transaction.end("commit");
  return rows[0]?.role;
};

test("a prepared statement is used by one role only", async () => {
  for (const role of ["latchkey_user", "latchkey_guest", "latchkey_user"])
    expect(await readRole({ settings: { role } }, "mine")).toBe(role);
  expect(await preparedNames("mine")).toEqual(["latchkey_guest mine", "latchkey_user mine"]);
});

test("no statement is prepared behind a transaction pooler, and none without a name", async () => {
  await readRole({ prepareStatements: false }, "pooled");
  await readRole({}, undefined);
  expect(await preparedNames("pooled")).toEqual([]);
  expect(await preparedNames("")).not.toContain("latchkey_user undefined");
});

test("a connection prepares at most a hundred statements, and executes more without preparing them", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `of many ${index}`);
  for (const name of names) expect(await readRole({}, name)).toBe("latchkey_user");
  expect(await preparedNames("")).toHaveLength(100);
  expect(await readRole({}, "mine")).toBe("latchkey_user");
});

test("a prepared statement whose result a migration changed fails once", async () => {
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
