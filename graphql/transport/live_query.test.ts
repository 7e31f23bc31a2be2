import type { ExecutionResult } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { createTurns } from "../turns.ts";
import { createChangeSignal } from "./change_signal.ts";
import { createLiveQuery } from "./live_query.ts";

/** Creates a live query whose results are numbers, with a queue that waits for `room` before the second read. */
function setUp() {
  let reads = 0;
  let ends = 0;
  const changes = createChangeSignal();
  const room = Promise.withResolvers<undefined>();
  const queue = createTurns(1);
  const query = createLiveQuery({
    read: () => Promise.resolve({ data: { a: ++reads } }),
    changes,
    queueRead: (read) => queue.run("a", () => room.promise.then(read)),
    onEnd: () => ends++,
  });
  const next = async () => ((await query.next()) as IteratorYieldResult<ExecutionResult>).value.data?.a;
  return { query, next, changes, room, reads: () => reads, ends: () => ends };
}
/** Resolves once every promise that can settle has settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("it reads at once, and once for many notifications when the queue has room", async () => {
  const { next, changes, room, reads } = setUp();
  expect(await next()).toBe(1);
  const second = next();
  for (let count = 0; count < 100; count++) {
    changes.notify();
    await settled();
  }
  expect(reads()).toBe(1);
  room.resolve(undefined);
  expect(await second).toBe(2);
  const third = next();
  await settled();
  expect(reads()).toBe(2);
  changes.notify();
  expect(await third).toBe(3);
});

test("one that is completed while it waits for a change ends at once", async () => {
  const { query, next, ends } = setUp();
  await next();
  const pending = query.next();
  await query.return?.();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(ends()).toBe(1);
});

test("one that is completed before its first read, or while a read is queued, is not read", async () => {
  const unread = setUp();
  await unread.query.return?.();
  expect([unread.reads(), unread.ends()]).toEqual([0, 1]);

  const { query, next, changes, room, reads, ends } = setUp();
  await next();
  const pending = query.next();
  changes.notify();
  await settled();
  const returned = query.return?.();
  room.resolve(undefined);
  await Promise.all([pending, returned]);
  expect([reads(), ends()]).toEqual([1, 1]);
});
