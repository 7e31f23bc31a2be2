import { expect } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { blockedConnections, raceBehindLock } from "../../../testing/postgres/lock_race.ts";
import { createSharedRead } from "./shared_reads.ts";
import { anna, pidOf, settingsOf, test, someone, type Identity } from "./fixtures/reads_fixtures.ts";

test("one backend runs the shared reads of many callers", async ({ sharedRead, onlyConnection }) => {
  const pids = await Promise.all(Array.from({ length: 20 }, () => pidOf(sharedRead)));
  expect(new Set(pids).size).toBe(1);
  expect(onlyConnection.totalCount).toBe(0);
});

test("a shared read that exceeds the time-out is charged and repeated on the pool, and others go on", async ({
  pooledRead,
  sharedRead,
  shared,
  database,
}) => {
  const charged: number[] = [];
  const budget = { ...someone.budget, chargeDatabase: (ms: number) => void charged.push(ms) };
  const impatient = createSharedRead(shared, pooledRead, true, 50);
  // As slow as the test likes: it waits for a lock, also where it is repeated.
  const statement = { text: "select pg_advisory_xact_lock_shared(1), 'done' as state" };
  const lock = { text: "select pg_advisory_xact_lock(1)", values: [] };
  let behind: number | undefined;
  const slow = await raceBehindLock(
    database,
    lock,
    1,
    () => impatient(settingsOf(anna), statement, { principal: "slow", budget }),
    async () => {
      behind = await pidOf(sharedRead);
      await eventually("the shared read's time-out", () => Promise.resolve(charged.length === 1));
      await blockedConnections(database, 1);
    },
  );
  expect(slow.rows).toMatchObject([{ state: "done" }]);
  expect(charged).toEqual([50, expect.any(Number)]);
  expect(await pidOf(sharedRead)).toBe(behind);
});

test("at most 32 reads are in flight on the shared connection; the others use the pool", async ({
  sharedRead,
  pooledRead,
}) => {
  const pids = await Promise.all(Array.from({ length: 40 }, () => pidOf(sharedRead)));
  expect(new Set(pids.slice(0, 32)).size).toBe(1);
  expect(new Set(pids.slice(32))).toEqual(new Set([await pidOf(pooledRead)]));
});

test("a shared read that fails with an SQL error is not retried", async ({ sharedRead, onlyConnection }) => {
  await expect(sharedRead(settingsOf(anna), { text: "select 1/0" }, someone)).rejects.toMatchObject({
    code: "22012",
  });
  expect(onlyConnection.totalCount).toBe(0);
});

test("when the shared connection is lost, its reads are retried on the pool, and later ones have a new connection", async ({
  pooledRead,
  shared,
  database,
}) => {
  const read = createSharedRead(shared, pooledRead, true, 600_000);
  const before = await pidOf(read);
  const text = `select pg_backend_pid() as pid, pg_sleep(case pg_backend_pid() when ${before} then 60 else 0 end)`;
  const waiting = read<Identity>(settingsOf(anna), { text }, someone);
  await database.query("select pg_terminate_backend($1)", [before]);
  expect((await waiting).rows[0]?.pid).toBe(await pidOf(pooledRead));
  expect(await pidOf(read)).not.toBe(before);
});

test("a shared connection with a stale prepared statement is replaced", async ({ sharedRead, database }) => {
  await database.query("create table public.replaced as select 1 as a");
  await database.query("grant select on public.replaced to latchkey_user");
  const query = { text: "select a from public.replaced", name: "replaced" };
  await sharedRead(settingsOf(anna), query, someone);
  const before = await pidOf(sharedRead);
  await database.query("alter table public.replaced alter column a type text");
  await sharedRead(settingsOf(anna), query, someone);
  expect(await pidOf(sharedRead)).not.toBe(before);
});
