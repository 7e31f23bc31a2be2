import { expect, vi } from "vitest";
import { test } from "./fixtures/transaction_fixtures.ts";
import { type Transaction } from "./transaction.ts";

const id = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const settings = { role: "latchkey_user", "latchkey.user_id": id };
const whoAmI = `select current_user as role, substring(current_setting('latchkey.identity', true) from '"sub": "([^"]*)') as id`;

const query = async (transaction: Transaction, text: string): Promise<unknown> =>
  transaction.withPgClient(null, async (client) => (await client.query({ text })).rows[0]);

test("role and claims are set for the request, and reset after it", async ({ open, onlyConnection }) => {
  const transaction = open({ settings });
  expect(await query(transaction, whoAmI)).toEqual({ role: "latchkey_user", id });
  await transaction.end("commit");
  const { rows } = await onlyConnection.query(whoAmI);
  expect(rows).toEqual([{ role: "latchkey_graphql", id: null }]);
});

test("the login role itself has no permissions", async ({ onlyConnection }) => {
  await expect(onlyConnection.query('select id from "user".session')).rejects.toThrow(/permission denied/);
});

test("if the role cannot be set, the statements pipelined behind it are not executed", async ({ open, database }) => {
  const transaction = open({ settings: { role: "latchkey_nobody" } });
  await expect(query(transaction, "select pg_advisory_lock(4711)")).rejects.toThrow(/latchkey_nobody/);
  await transaction.end("rollback");
  // An advisory lock of the session would outlive the rollback.
  expect(await database.query("select count(*)::int from pg_locks where objid = 4711")).toEqual([{ count: 0 }]);
});

test("a connection on which a function left another role is replaced", async ({ open }) => {
  const first = open({ settings });
  await query(first, "select set_config('role', 'latchkey_guest', false)");
  await first.end("commit");
  const second = open({ settings });
  await expect(query(second, whoAmI)).rejects.toThrow(/permission denied/);
  await second.end("rollback");
  const third = open({ settings });
  expect(await query(third, whoAmI)).toEqual({ role: "latchkey_user", id });
  await third.end("commit");
});

test("a request without statements takes no connection", async ({ open, onlyConnection }) => {
  const held = await onlyConnection.connect();
  await open().end("commit");
  held.release();
});

test("a query cannot write", async ({ open }) => {
  const transaction = open({ readOnly: true });
  await expect(query(transaction, "create temporary table written ()")).rejects.toThrow(/read-only/);
  await transaction.end("rollback");
});

test("a query that has read more than 4 MB is refused before its response is assembled", async ({ open }) => {
  const transaction = open({ readOnly: true });
  await query(transaction, "select repeat('x', 2000000) as x");
  await expect(query(transaction, "select repeat('x', 2000001) as x")).rejects.toMatchObject({
    code: "limit-exceeded",
  });
  await transaction.end("rollback");
});

test("after an error, the other statements fail with the same error, and are not sent", async ({
  open,
  onlyConnection,
}) => {
  const transaction = open();
  const [first, second] = await Promise.allSettled([query(transaction, "select 1/0"), query(transaction, "select 1")]);
  expect(second).toEqual(first);
  expect(second).toMatchObject({ reason: { code: "22012" } });
  await transaction.end("rollback");
  expect((await onlyConnection.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a lost connection is not used again", async ({ open, onlyConnection, database }) => {
  const transaction = open();
  const { pid } = (await query(transaction, "select pg_backend_pid() as pid")) as { pid: number };
  await database.query("select pg_terminate_backend($1)", [pid]);
  await expect(query(transaction, "select 1")).rejects.toThrow();
  await transaction.end("rollback").catch(() => undefined);
  expect((await onlyConnection.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a connection to a server that became a standby is not used again", async ({ open, onlyConnection }) => {
  // A standby refuses writes with this error.
  await onlyConnection.query("set default_transaction_read_only = on");
  const mutation = open();
  const { pid } = (await query(mutation, "select pg_backend_pid() as pid")) as { pid: number };
  await expect(query(mutation, "create temporary table written ()")).rejects.toMatchObject({ code: "25006" });
  await mutation.end("rollback");
  const { rows } = await onlyConnection.query<{ pid: number }>("select pg_backend_pid() as pid");
  expect(rows[0]?.pid).not.toBe(pid);
});

/** Runs a statement, for which the clock says that it has taken so many milliseconds more. */
async function queryFor(ms: number, transaction: Transaction): Promise<void> {
  let elapsedMs = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + elapsedMs);
  await transaction.withPgClient(null, async (client) => {
    await client.query({ text: "select 1" });
    elapsedMs = ms;
  });
  clock.mockRestore();
}

test("a request whose time is used up sends no further statement", async ({ open }) => {
  const transaction = open({ maxMs: 60_000 });
  await queryFor(60_001, transaction);
  await expect(query(transaction, "select 1")).rejects.toMatchObject({ code: "timeout" });
  await transaction.end("rollback");
});

const timeouts =
  "select s.setting::int as statement, i.setting::int as idle from pg_settings s, pg_settings i " +
  "where s.name = 'statement_timeout' and i.name = 'idle_in_transaction_session_timeout'";

test("the statements of a mutation share its time, and its connection has the default time-outs afterwards", async ({
  open,
  onlyConnection,
}) => {
  const transaction = open({ maxMs: 5_000 });
  const first = (await query(transaction, timeouts)) as { statement: number; idle: number };
  expect(first.statement).toBeLessThanOrEqual(5_000);
  expect(first.idle).toBe(5_000);
  await queryFor(1_000, transaction);
  const third = (await query(transaction, timeouts)) as { statement: number };
  expect(third.statement).toBeLessThanOrEqual(first.statement - 1_000);
  await transaction.end("commit");
  expect((await onlyConnection.query(timeouts)).rows).toEqual([{ statement: 10_000, idle: 10_000 }]);
});

test("a server that is busy for longer than the statement time-out keeps its transaction", async ({
  open,
  onlyConnection,
}) => {
  // The request's time includes that of opening the connection.
  await onlyConnection.query("select 1");
  const transaction = open({ maxMs: 1_500 });
  expect(await query(transaction, timeouts)).toMatchObject({ idle: 2_000 });
  await transaction.end("commit");
});

test("a mutation's statement that takes longer than the remaining time is a timeout", async ({ open }) => {
  const transaction = open({ maxMs: 100 });
  // On a slow machine the time is used up before the statement is sent.
  await expect(query(transaction, "select pg_sleep(30)")).rejects.toMatchObject({
    code: expect.stringMatching(/^(57014|timeout)$/) as string,
  });
  await transaction.end("rollback");
});
