import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { openPipelinedConnection, type PipelinedConnection } from "../../database/pipeline.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import { createPooledRead, createSharedRead, type Read } from "./reads.ts";

const [anna, bea] = ["01a1fd64-8547-7d13-aaf9-07053d8928f3", "01a1fd64-8547-7d13-aaf9-07053d8928f4"];
const settingsOf = (id: string) => ({
  role: "latchkey_user",
  "latchkey.user_id": id,
  statement_timeout: "5000",
});
const whoAmI = {
  text: "select current_user as role, current_setting('latchkey.user_id', true) as id, pg_backend_pid() as pid",
};
interface Identity {
  role: string;
  id: string;
  pid: number;
}
const logInRole = { role: "latchkey_graphql", id: "" };

let database: TestDatabase;
let pool: pg.Pool;
let shared: PipelinedConnection;
let pooledRead: Read;
let sharedRead: Read;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  const options = {
    connectionString: serverConfig(database.env).GRAPHQL_DATABASE_URL,
    application_name: "reads test",
  };
  // One connection, so that each read sees what the previous one left on it.
  pool = openPool({ ...options, max: 1, pipeline: true }, createLog("test", "silent"));
  shared = openPipelinedConnection(options, createLog("test", "silent"));
  pooledRead = createPooledRead(pool, true);
  // No cool-down, and a time-out that a slow machine meets.
  sharedRead = createSharedRead(shared, pooledRead, true, { timeoutMs: 2_000, cooldownMs: 0 });
});
afterEach(() => Promise.all([pool.end(), shared.stop()]));

describe.each([
  { where: "the pool", readOf: () => pooledRead, readAsLogInRole: () => pool.query<Identity>(whoAmI) },
  {
    where: "the shared connection",
    readOf: () => sharedRead,
    readAsLogInRole: () => shared.query<Identity>(whoAmI),
  },
])("a read on $where", ({ readOf, readAsLogInRole }) => {
  test("has the role and the claims of its caller, and leaves none behind", async () => {
    const reads = [anna, bea, anna].map((id) => readOf()<Identity>(settingsOf(id), whoAmI));
    const identities = (await Promise.all(reads)).map(({ rows }) => rows[0]);
    const role = "latchkey_user";
    expect(identities).toMatchObject([
      { role, id: anna },
      { role, id: bea },
      { role, id: anna },
    ]);
    expect((await readAsLogInRole()).rows).toMatchObject([logInRole]);
  });

  test("cannot write", async () => {
    await expect(readOf()(settingsOf(anna), { text: "create temporary table written ()" })).rejects.toThrow(
      /read-only/,
    );
  });

  test("fails with its own error, and fails no other read", async () => {
    const [before, failed, after] = await Promise.allSettled([
      readOf()<Identity>(settingsOf(anna), whoAmI),
      readOf()(settingsOf(anna), { text: "select 1/0" }),
      readOf()<Identity>(settingsOf(bea), whoAmI),
    ]);
    expect(before).toMatchObject({ status: "fulfilled", value: { rows: [{ id: anna }] } });
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(after).toMatchObject({ status: "fulfilled", value: { rows: [{ id: bea }] } });
    expect((await readAsLogInRole()).rows).toMatchObject([logInRole]);
  });

  test("is not executed if the role cannot be set", async () => {
    const settings = { ...settingsOf(anna), role: "latchkey_nobody" };
    // An advisory lock of the session would outlive the transaction.
    const result = readOf()(settings, { text: "select pg_advisory_lock(4713)" });
    await expect(result).rejects.toThrow(/latchkey_nobody/);
    expect(await database.query("select from pg_locks where objid = 4713")).toEqual([]);
  });

  test("has the statement time-out of its settings", async () => {
    const result = readOf()(
      { ...settingsOf(anna), statement_timeout: "300" },
      { text: "select pg_sleep(60)" },
    );
    await expect(result).rejects.toMatchObject({ code: "57014" });
  });

  test("succeeds when a migration has changed the result of its prepared statement", async () => {
    await database.query("drop table if exists public.changing");
    await database.query("create table public.changing as select 1 as a");
    await database.query("grant select on public.changing to latchkey_user");
    const query = { text: "select a from public.changing", name: "changing" };
    expect((await readOf()(settingsOf(anna), query)).rows).toEqual([{ a: 1 }]);
    await database.query("alter table public.changing alter column a type text");
    for (const rows of [[{ a: "1" }], [{ a: "1" }]])
      expect((await readOf()(settingsOf(anna), query)).rows).toEqual(rows);
  });
});

const pidOf = async (read: Read) => (await read<Identity>(settingsOf(anna), whoAmI)).rows[0]?.pid;

test("one backend runs the shared reads of many callers", async () => {
  const pids = await Promise.all(Array.from({ length: 20 }, () => pidOf(sharedRead)));
  expect(new Set(pids).size).toBe(1);
  expect(pool.totalCount).toBe(0);
});

test("a shared read that exceeds the time-out is retried on the pool, which all reads use for the cool-down", async () => {
  const read = createSharedRead(shared, pooledRead, true, { timeoutMs: 100, cooldownMs: 600_000 });
  const slow = read(settingsOf(anna), { text: "select pg_sleep(0.3), 'done' as state" });
  const [behind, after] = [await pidOf(read), await pidOf(read)];
  expect((await slow).rows).toMatchObject([{ state: "done" }]);
  expect(after).toBe(await pidOf(pooledRead));
  expect(behind).not.toBe(after);
});

test("after a shared read that waited as long as the time-out, all reads use the pool for the cool-down", async () => {
  const read = createSharedRead(shared, pooledRead, true, { timeoutMs: 200, cooldownMs: 600_000 });
  const withinTimeout = { text: "select pg_sleep(0.15)" };
  await Promise.all([read(settingsOf(anna), withinTimeout), read(settingsOf(bea), withinTimeout)]);
  expect(await pidOf(read)).toBe(await pidOf(pooledRead));
});

test("at most 32 reads are in flight on the shared connection; the others use the pool", async () => {
  const pids = await Promise.all(Array.from({ length: 40 }, () => pidOf(sharedRead)));
  expect(new Set(pids.slice(0, 32)).size).toBe(1);
  expect(new Set(pids.slice(32))).toEqual(new Set([await pidOf(pooledRead)]));
});

test("a shared read that fails with an SQL error is not retried", async () => {
  await expect(sharedRead(settingsOf(anna), { text: "select 1/0" })).rejects.toMatchObject({ code: "22012" });
  expect(pool.totalCount).toBe(0);
});

test("when the shared connection is lost, its reads are retried on the pool, and later ones have a new connection", async () => {
  const read = createSharedRead(shared, pooledRead, true, { timeoutMs: 600_000, cooldownMs: 0 });
  const before = await pidOf(read);
  const text = `select pg_backend_pid() as pid, pg_sleep(case pg_backend_pid() when ${before} then 60 else 0 end)`;
  const waiting = read<Identity>(settingsOf(anna), { text });
  await database.query("select pg_terminate_backend($1)", [before]);
  expect((await waiting).rows[0]?.pid).toBe(await pidOf(pooledRead));
  expect(await pidOf(read)).not.toBe(before);
});

test("a shared connection with a stale prepared statement is replaced", async () => {
  await database.query("create table public.replaced as select 1 as a");
  await database.query("grant select on public.replaced to latchkey_user");
  const query = { text: "select a from public.replaced", name: "replaced" };
  await sharedRead(settingsOf(anna), query);
  const before = await pidOf(sharedRead);
  await database.query("alter table public.replaced alter column a type text");
  await sharedRead(settingsOf(anna), query);
  expect(await pidOf(sharedRead)).not.toBe(before);
});
