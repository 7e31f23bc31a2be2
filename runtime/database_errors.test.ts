import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test_database.ts";
import { isUnavailable } from "./database_errors.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** What a query, or several of one client, fails with. */
async function failure(options: pg.PoolConfig, ...texts: string[]): Promise<Error> {
  const pool = new pg.Pool({ connectionString: database.superuserUrl, max: 1, ...options });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    for (const text of texts) await pool.query(text);
  } catch (error) {
    return error as Error;
  } finally {
    await pool.end();
  }
  throw new Error("nothing failed");
}

const withTimeout = (setting: string, text: string) => failure({}, `set ${setting} = '1ms'`, text);

test.each<[string, () => Promise<Error>]>([
  ["nobody listens", () => failure({ connectionString: "postgres://x@127.0.0.1:1/x" }, "select 1")],
  [
    "nobody listens under any of a name's addresses",
    () => failure({ connectionString: "postgres://x@localhost:1/x" }, "select 1"),
  ],
  ["no address of a name is reached", () => Promise.resolve(new AggregateError([new Error(), refused()]))],
  ["a name has no address", () => Promise.resolve(Object.assign(new Error(), { code: "ENOTFOUND" }))],
  [
    "the connection is ended in the middle",
    () => failure({}, "select pg_terminate_backend(pg_backend_pid())"),
  ],
  ["the statement takes too long", () => withTimeout("statement_timeout", "select pg_sleep(60)")],
  ["the answer takes too long", () => failure({ query_timeout: 1 }, "select pg_sleep(0.2)")],
  ["PostgreSQL is full", () => raised("53300")],
  ["PostgreSQL is starting or stopping", () => raised("57P03")],
  [
    "the server became a standby",
    () => failure({}, "set default_transaction_read_only = on", "create table public.written ()"),
  ],
  ["a lock is not to be had", () => raised("55P03")],
  ["two transactions are in each other's way", () => raised("40P01")],
  [
    "the role's password was changed, and this server not deployed yet",
    () => failure({ connectionString: database.superuserUrl.replace(/:[^:@]+@/, ":wrong@") }, "select 1"),
  ],
])("when %s, the same request may succeed later", async (_what, fail) => {
  const error = await fail();
  expect([error.message, isUnavailable(error)]).toEqual([error.message, true]);
});

const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

const raised = (state: string) =>
  failure({}, `do $$ begin raise exception 'made up' using errcode = '${state}'; end $$`);

test("when every connection of the pool is taken, or the pool is closed, the same request may succeed later", async () => {
  const pool = new pg.Pool({ connectionString: database.superuserUrl, max: 1 });
  pool.on("error", () => undefined);
  const ask = () => pool.query("select 1").catch((error: unknown) => error as Error);
  const taken = await pool.connect();
  pool.options.connectionTimeoutMillis = 1;
  const refused = await ask();
  taken.release();
  await pool.end();
  expect([refused, await ask()].map((error) => [error, isUnavailable(error)])).toEqual([
    [new Error("timeout exceeded when trying to connect"), true],
    [new Error("Cannot use a pool after calling end on the pool"), true],
  ]);
});

test.each<[string, () => Promise<Error>]>([
  ["SQL is wrong", () => failure({}, "select from nowhere")],
  ["a value is refused", () => failure({}, "select 'x'::uuid")],
  ["a constraint is hurt", () => failure({}, "insert into settings.configuration values ('NONE', '1')")],
  ["a function raises", () => raised("P0001")],
  ["the code has a fault", () => Promise.resolve(new TypeError("x is not a function"))],
])("when %s, the same request would fail again", async (_what, fail) => {
  const error = await fail();
  expect([error.message, isUnavailable(error)]).toEqual([error.message, false]);
});

test.each([[undefined], [null], ["ECONNREFUSED"], [{ code: "ECONNREFUSED" }]])(
  "%j is no such error",
  (thrown) => {
    expect(isUnavailable(thrown)).toBe(false);
  },
);
