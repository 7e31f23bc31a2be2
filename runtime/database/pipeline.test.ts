import pg from "pg";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { pidOf, test } from "../fixtures/pipeline_fixtures.ts";

test("one backend answers every caller with its own result", async ({ connection }) => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const queries = numbers.map((number) =>
    connection.query<{ number: number }>({ text: "select $1::int as number", values: [number] }),
  );
  expect((await Promise.all(queries)).map(({ rows }) => rows[0]?.number)).toEqual(numbers);
  expect(new Set(await Promise.all([pidOf(connection), pidOf(connection), pidOf(connection)])).size).toBe(1);
  expect(connection.waitingCount).toBe(0);
});

test("one statement's failure affects no other", async ({ connection }) => {
  const before = await pidOf(connection);
  const [first, wrong, last] = await Promise.allSettled([
    pidOf(connection),
    connection.query({ text: "select 1/0" }),
    pidOf(connection),
  ]);
  expect(wrong).toMatchObject({ status: "rejected", reason: { code: "22012" } });
  expect([first, last]).toEqual([
    { status: "fulfilled", value: before },
    { status: "fulfilled", value: before },
  ]);
});

test("a statement that times out closes the connection, so that no other waits for it", async ({ openConnection }) => {
  const timed = openConnection({ query_timeout: 5_000 });
  const [slow, behind] = await Promise.allSettled([
    timed.query({ text: "select pg_sleep(60)" }),
    timed.query({ text: "select 1" }),
  ]);
  expect([slow.status, behind.status]).toEqual(["rejected", "rejected"]);
  expect((await timed.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
});

test("many callers that lose a connection at once close it once", async ({ openConnection }) => {
  const warnings: Error[] = [];
  const heard = (warning: Error) => warnings.push(warning);
  process.on("warning", heard);
  const timed = openConnection({ query_timeout: 5_000 });
  await timed.query({ text: "select 1" });
  const waiting = Array.from({ length: 100 }, () => timed.query({ text: "select pg_sleep(60)" }));
  const lost = await Promise.allSettled(waiting);
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await timed.stop();
  // Node emits the warning in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", heard);
  expect(warnings).toEqual([]);
});

test("stopping waits for the statements in flight", async ({ openConnection, database }) => {
  const own = openConnection();
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("select pg_advisory_lock(4712)");
  const answer = own.query({ text: "select 'answered' as it from pg_advisory_lock_shared(4712)" });
  await eventually("the statement waits", async () => {
    return (await holder.query("select from pg_locks where objid = 4712 and not granted")).rows.length === 1;
  });
  const stopped = own.stop();
  await holder.end();
  expect((await answer).rows).toEqual([{ it: "answered" }]);
  await stopped;
});
