import { expect } from "vitest";
import { blockedConnections } from "../../testing/postgres/lock_race.ts";
import { maxSize, test } from "./fixtures/batch_fixtures.ts";

test("calls of one turn of the event loop are one transaction, and each caller gets its own answer", async ({
  batcher,
}) => {
  const numbers = Array.from({ length: 50 }, (_, index) => 50 - index);
  const answers = await Promise.all(numbers.map(batcher.write));
  expect(answers.map(({ id }) => id)).toEqual(numbers);
  expect(new Set(answers.map(({ xid }) => xid)).size).toBe(1);
  expect(batcher.waitingCount).toBe(0);
});

test("calls that arrive while a batch runs form the next one, and a batch has a maximum size", async ({
  database,
  batcher: { write, lock },
  hold,
}) => {
  const unlock = await hold(1);
  const first = lock(1);
  await blockedConnections(database, 1);
  const answers = Array.from({ length: 100 }, (_, index) => write(index));
  const xids = (await Promise.all(answers)).map(({ xid }) => xid);
  expect(new Set(xids.slice(0, maxSize)).size).toBe(1);
  expect(new Set(xids.slice(maxSize)).size).toBe(1);
  expect(new Set(xids).size).toBe(2);
  await unlock();
  await first;
});

test("one call's failure affects no other, and nothing is done twice", async ({ batcher, written }) => {
  await batcher.write(2);
  const answers = await Promise.allSettled([1, 2, 3].map(batcher.write));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(answers[1]).toMatchObject({ reason: { code: "23505" } });
  expect(await written.ids()).toEqual([1, 2, 3]);
});

test("a single call's failure is returned, and the next call runs", async ({ batcher: { write } }) => {
  await write(2);
  await expect(write(2)).rejects.toMatchObject({ code: "23505" });
  expect((await write(3)).id).toBe(3);
});

test("a locked row delays only the calls that need it", async ({ batcher: { write, lock }, hold, written }) => {
  const unlock = await hold(1);
  let answered = false;
  const waiting = lock(1).then(() => (answered = true));
  await Promise.all([write(1), write(2)]);
  await Promise.all([write(3), write(4)]);
  expect(await written.ids()).toEqual([1, 2, 3, 4]);
  expect(answered).toBe(false);
  await unlock();
  await waiting;
});

test("batches of two processes that need the same rows in opposite orders both succeed", async ({
  openConnection,
  createBatcherOn,
  batcher,
}) => {
  const other = createBatcherOn(openConnection());
  for (let round = 0; round < 20; round++)
    await Promise.all([batcher.lock(1), batcher.lock(2), other.lock(2), other.lock(1)]);
});

test("no call is answered before COMMIT, and a failed COMMIT fails every call", async ({ database, batcher }) => {
  const answers = await Promise.allSettled([1, 3].map((id) => batcher.call(["late", id])));
  expect(answers).toMatchObject(Array(2).fill({ status: "rejected", reason: { code: "23503" } }));
  expect(await database.query("select from late")).toEqual([]);
});

test("when the connection is lost, every call of the batch fails, none is retried, and later calls get a new connection", async ({
  batcher: { call, write },
  pool,
  written,
}) => {
  const answers = await Promise.allSettled([write(1), call(["end", 1]), write(2)]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await written.ids()).toEqual([]);
  expect(pool.totalCount).toBe(0);
  const next = await Promise.all([write(3), write(4)]);
  expect(next.map(({ id }) => id)).toEqual([3, 4]);
});
