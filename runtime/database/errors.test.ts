import pg from "pg";
import { expect } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { isUnavailable } from "./errors.ts";

/** Runs statements on one connection and returns the error of the first that fails. */
async function failure(url: string, statements: string[], options: pg.PoolConfig = {}): Promise<Error> {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    for (const statement of statements) await pool.query(statement);
  } catch (error) {
    return error as Error;
  } finally {
    await pool.end();
  }
  throw new Error("no statement failed");
}

const raise = (url: string, state: string) =>
  failure(url, [`do $$ begin raise exception 'made up' using errcode = '${state}'; end $$`]);

const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** A situation and a function that produces its error, from the URL of a superuser. */
type Case = [string, (url: string) => Promise<Error>];

test.for<Case>([
  ["nothing listens on the port", () => failure("postgres://x@127.0.0.1:1/x", ["select 1"])],
  ["nothing listens on any address of a host name", () => failure("postgres://x@localhost:1/x", ["select 1"])],
  ["no address of a host name is reached", () => Promise.resolve(new AggregateError([new Error(), refused()]))],
  ["a host name has no address", () => Promise.resolve(Object.assign(new Error(), { code: "ENOTFOUND" }))],
  [
    "the connection is closed while a statement runs",
    (url) => failure(url, ["select pg_terminate_backend(pg_backend_pid())"]),
  ],
  [
    "the statement exceeds PostgreSQL's time-out",
    (url) => failure(url, ["set statement_timeout = '1ms'", "select pg_sleep(60)"]),
  ],
  [
    "the statement exceeds the client's time-out",
    (url) => failure(url, ["select pg_sleep(0.2)"], { query_timeout: 1 }),
  ],
  ["PostgreSQL has no connection left", (url) => raise(url, "53300")],
  ["PostgreSQL is starting or shutting down", (url) => raise(url, "57P03")],
  [
    "the server became a standby",
    (url) => failure(url, ["set default_transaction_read_only = on", "create table public.written ()"]),
  ],
  ["this process was too busy to go on with its transaction", (url) => raise(url, "25P03")],
  ["this process was too busy to end its transaction", (url) => raise(url, "25P04")],
  ["an account's phone changes while its erasure waits", (url) => raise(url, "55006")],
  ["a lock is not available", (url) => raise(url, "55P03")],
  ["two transactions deadlock", (url) => raise(url, "40P01")],
  [
    "the role's password was changed before this server has the new one",
    (url) => failure(url.replace(/:[^:@]+@/, ":wrong@"), ["select 1"]),
  ],
])("when %s, the same request may succeed later", async ([, fail], { database }) => {
  const error = await fail(database.superuserUrl);
  expect([error.message, isUnavailable(error)]).toEqual([error.message, true]);
});

test("when every connection of the pool is in use, or the pool is closed, the same request may succeed later", async ({
  database,
}) => {
  const pool = new pg.Pool({ connectionString: database.superuserUrl, max: 1 });
  pool.on("error", () => undefined);
  const errorOfQuery = () => pool.query("select 1").catch((error: unknown) => error as Error);
  const client = await pool.connect();
  pool.options.connectionTimeoutMillis = 1;
  const timedOut = await errorOfQuery();
  client.release();
  await pool.end();
  expect([timedOut, await errorOfQuery()].map((error) => [error, isUnavailable(error)])).toEqual([
    [new Error("timeout exceeded when trying to connect"), true],
    [new Error("Cannot use a pool after calling end on the pool"), true],
  ]);
});

test.for<Case>([
  ["SQL is wrong", (url) => failure(url, ["select from nowhere"])],
  ["a value is invalid", (url) => failure(url, ["select 'x'::uuid"])],
  ["a constraint is violated", (url) => failure(url, ["insert into settings.configuration values ('NONE', '1')"])],
  ["a function raises", (url) => raise(url, "P0001")],
  ["the code has a bug", () => Promise.resolve(new TypeError("x is not a function"))],
])("when %s, the same request would fail again", async ([, fail], { database }) => {
  const error = await fail(database.superuserUrl);
  expect([error.message, isUnavailable(error)]).toEqual([error.message, false]);
});

test.each([[undefined], [null], ["ECONNREFUSED"], [{ code: "ECONNREFUSED" }]])(
  "%j, which is not an Error, is not temporary",
  (thrown) => {
    expect(isUnavailable(thrown)).toBe(false);
  },
);
