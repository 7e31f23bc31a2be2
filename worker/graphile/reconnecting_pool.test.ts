import { expect, vi } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { eventually } from "../../testing/eventually.ts";
import { test as base } from "../../testing/fixtures.ts";
import { recordedDelays } from "../../testing/postgres/recorded_delays.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { ReconnectingPool } from "./reconnecting_pool.ts";

vi.mock(import("node:timers/promises"), async (original) => {
  const { recordDelays } = await import("../../testing/postgres/recorded_delays.ts");
  return recordDelays(await original());
});

/** `pool`: of one connection to the file's database. */
const test = base.extend("pool", ({ database }, { onCleanup }) => {
  const { WORKER_DATABASE_URL } = workerConfig(database.env);
  const pool = new ReconnectingPool({ connectionString: WORKER_DATABASE_URL, max: 1 }, collectLog().log);
  pool.on("error", () => undefined);
  onCleanup(() => pool.end());
  return pool;
});

test("a database that is unavailable is retried with a backoff of at most two seconds", async () => {
  const pool = new ReconnectingPool({ connectionString: "postgres://x@127.0.0.1:1/x" }, collectLog().log);
  pool.enableRetries();
  const refused = expect(pool.connect()).rejects.toThrow("ECONNREFUSED");
  await vi.waitUntil(() => recordedDelays.length >= 8, { timeout: 90_000 });
  pool.disableRetries();
  await refused;
  await pool.end();
  expect(recordedDelays.slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});

test("a statement whose connection is lost fails with the code for which the queue retries, and its client is not used again", async ({
  database,
  pool,
}) => {
  const client = await pool.connect();
  client.on("error", () => undefined);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const lostStatement = expect(client.query("select pg_sleep(60)")).rejects.toMatchObject({
    code: "40001",
  });
  await database.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await lostStatement;
  client.release();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test.for([
  { name: "waits too long", sql: "set statement_timeout = '1ms'; select pg_sleep(60)", code: "40001" },
  { name: "is wrong", sql: "select from nowhere", code: "42P01" },
])("a statement that $name fails with code $code, and its client is used again", async ({ sql, code }, { pool }) => {
  const pidOf = (queryable: Pick<ReconnectingPool, "query">) => queryable.query("select pg_backend_pid()");
  const client = await pool.connect();
  const { rows: before } = await pidOf(client);
  const error: unknown = await client.query(sql).catch((failure: unknown) => failure);
  await client.query("reset statement_timeout");
  client.release();
  expect(error).toMatchObject({ code });
  expect((await pidOf(pool)).rows).toEqual(before);
});

test("a statement of a send that deadlocks is retried, one that is wrong is not", async ({ database, pool }) => {
  pool.enableRetries();
  // The first run fails with the given SQLSTATE; a sequence keeps its value through the rollback.
  const failOnce = (sqlstate: string) =>
    pool.queryWithRetry(
      `do $$ begin if nextval('public.runs') = 1 then raise sqlstate '${sqlstate}'; end if; end $$`,
      [],
    );
  const countRuns = () => database.query("select last_value::integer as runs from public.runs");
  await database.query("create sequence public.runs; grant all on sequence public.runs to public");
  await failOnce("40P01");
  expect(await countRuns()).toEqual([{ runs: 2 }]);
  await database.query("alter sequence public.runs restart");
  await expect(failOnce("23505")).rejects.toMatchObject({ code: "23505" });
  expect(await countRuns()).toEqual([{ runs: 1 }]);
});

test("notifications that would end the queue are dropped, and only those", async ({ database, pool }) => {
  const client = await pool.connect();
  const received: string[] = [];
  client.on("notification", ({ channel }) => received.push(channel));
  await client.query('listen "worker:migrate"; listen "jobs:insert"');
  for (const channel of ["worker:migrate", "jobs:insert"])
    await database.query("select pg_notify($1, $2)", [channel, JSON.stringify({ breaking: true })]);
  await eventually("the later one is received", () => received.includes("jobs:insert"));
  expect(received).toEqual(["jobs:insert"]);
  client.release();
});
