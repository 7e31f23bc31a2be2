import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { openSharedConnection, type SharedConnection } from "../../database/pipeline.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import { readFrom, readTogether, type Read } from "./reads.ts";

const [anna, bea] = ["01a1fd64-8547-7d13-aaf9-07053d8928f3", "01a1fd64-8547-7d13-aaf9-07053d8928f4"];
const user = (id: string) => ({
  role: "latchkey_user",
  "latchkey.user_id": id,
  statement_timeout: "5000",
});
const whoAmI = {
  text: "select current_user as role, current_setting('latchkey.user_id', true) as id, pg_backend_pid() as pid",
};
interface Who {
  role: string;
  id: string;
  pid: number;
}
const nobody = { role: "latchkey_graphql", id: "" };

let database: TestDatabase;
let pool: pg.Pool;
let shared: SharedConnection;
let alone: Read;
let together: Read;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  const options = {
    connectionString: serverConfig(database.env).GRAPHQL_DATABASE_URL,
    application_name: "reads test",
  };
  // One connection: what one read leaves behind, the next one meets.
  pool = openPool({ ...options, max: 1, pipeline: true }, createLog("test", "silent"));
  shared = openSharedConnection(options, createLog("test", "silent"));
  alone = readFrom(pool, true);
  // However slow the machine is, no read is late and nobody rests.
  together = readTogether(shared, alone, true, { shortMs: 2_000, restMs: 0 });
});
afterEach(() => Promise.all([pool.end(), shared.stop()]));

describe.each([
  { how: "alone", reading: () => alone, left: () => pool.query<Who>(whoAmI) },
  { how: "together", reading: () => together, left: () => shared.query<Who>(whoAmI) },
])("read $how", ({ reading, left }) => {
  test("a statement has role and claims of who asks, and leaves none behind", async () => {
    const asked = [anna, bea, anna].map((id) => reading()<Who>(user(id), whoAmI));
    const answers = (await Promise.all(asked)).map(({ rows }) => rows[0]);
    const role = "latchkey_user";
    expect(answers).toMatchObject([
      { role, id: anna },
      { role, id: bea },
      { role, id: anna },
    ]);
    expect((await left()).rows).toMatchObject([nobody]);
  });

  test("it cannot write", async () => {
    await expect(reading()(user(anna), { text: "create temporary table written ()" })).rejects.toThrow(
      /read-only/,
    );
  });

  test("one that fails, fails with its own error, and nobody else does", async () => {
    const [before, wrong, after] = await Promise.allSettled([
      reading()<Who>(user(anna), whoAmI),
      reading()(user(anna), { text: "select 1/0" }),
      reading()<Who>(user(bea), whoAmI),
    ]);
    expect(before).toMatchObject({ status: "fulfilled", value: { rows: [{ id: anna }] } });
    expect(wrong).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(after).toMatchObject({ status: "fulfilled", value: { rows: [{ id: bea }] } });
    expect((await left()).rows).toMatchObject([nobody]);
  });

  test("where the role cannot be taken, nothing is read", async () => {
    const nobodys = { ...user(anna), role: "latchkey_nobody" };
    // A lock of the session would outlive the transaction.
    const asked = reading()(nobodys, { text: "select pg_advisory_lock(4713)" });
    await expect(asked).rejects.toThrow(/latchkey_nobody/);
    expect(await database.query("select from pg_locks where objid = 4713")).toEqual([]);
  });

  test("it has the time that its caller has, and no more", async () => {
    const asked = reading()({ ...user(anna), statement_timeout: "300" }, { text: "select pg_sleep(60)" });
    await expect(asked).rejects.toMatchObject({ code: "57014" });
  });

  test("a migration that changes what a prepared statement answers is not met", async () => {
    await database.query("drop table if exists public.changing");
    await database.query("create table public.changing as select 1 as a");
    await database.query("grant select on public.changing to latchkey_user");
    const query = { text: "select a from public.changing", name: "changing" };
    expect((await reading()(user(anna), query)).rows).toEqual([{ a: 1 }]);
    await database.query("alter table public.changing alter column a type text");
    for (const rows of [[{ a: "1" }], [{ a: "1" }]])
      expect((await reading()(user(anna), query)).rows).toEqual(rows);
  });
});

const pidOf = async (read: Read) => (await read<Who>(user(anna), whoAmI)).rows[0]?.pid;

test("many callers' reads are answered by one backend", async () => {
  const pids = await Promise.all(Array.from({ length: 20 }, () => pidOf(together)));
  expect(new Set(pids).size).toBe(1);
  expect(pool.totalCount).toBe(0);
});

test("one that is not short is read alone, and for a moment so is everybody", async () => {
  const patient = readTogether(shared, alone, true, { shortMs: 100, restMs: 600_000 });
  const slow = patient(user(anna), { text: "select pg_sleep(0.3), 'answered' as it" });
  const [behind, after] = [await pidOf(patient), await pidOf(patient)];
  expect((await slow).rows).toMatchObject([{ it: "answered" }]);
  expect(after).toBe(await pidOf(alone));
  expect(behind).not.toBe(after);
});

test("where one was kept waiting by others that were just short enough, everybody reads alone", async () => {
  const patient = readTogether(shared, alone, true, { shortMs: 200, restMs: 600_000 });
  const almost = { text: "select pg_sleep(0.15)" };
  await Promise.all([patient(user(anna), almost), patient(user(bea), almost)]);
  expect(await pidOf(patient)).toBe(await pidOf(alone));
});

test("more than a few do not queue for it", async () => {
  const pids = await Promise.all(Array.from({ length: 40 }, () => pidOf(together)));
  expect(new Set(pids.slice(0, 32)).size).toBe(1);
  expect(new Set(pids.slice(32))).toEqual(new Set([await pidOf(alone)]));
});

test("what cannot succeed is not asked for twice", async () => {
  await expect(together(user(anna), { text: "select 1/0" })).rejects.toMatchObject({ code: "22012" });
  expect(pool.totalCount).toBe(0);
});

test("when the shared connection is lost, what waited for it is read alone, and the next have a new one", async () => {
  const patient = readTogether(shared, alone, true, { shortMs: 600_000, restMs: 0 });
  const before = await pidOf(patient);
  const text = `select pg_backend_pid() as pid, pg_sleep(case pg_backend_pid() when ${before} then 60 else 0 end)`;
  const waiting = patient<Who>(user(anna), { text });
  await database.query("select pg_terminate_backend($1)", [before]);
  expect((await waiting).rows[0]?.pid).toBe(await pidOf(alone));
  expect(await pidOf(patient)).not.toBe(before);
});

test("a connection that has outdated statements is renewed", async () => {
  await database.query("create table public.renewed as select 1 as a");
  await database.query("grant select on public.renewed to latchkey_user");
  const query = { text: "select a from public.renewed", name: "renewed" };
  await together(user(anna), query);
  const before = await pidOf(together);
  await database.query("alter table public.renewed alter column a type text");
  await together(user(anna), query);
  expect(await pidOf(together)).not.toBe(before);
});
