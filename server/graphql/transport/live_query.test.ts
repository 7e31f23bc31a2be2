import { parse, type ExecutionResult } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { createFairQueue } from "../../queues/fair_queue.ts";
import { makeChanges } from "./changes.ts";
import { liveQuery } from "./live_query.ts";

/** A live query whose results are numbers. */
function setUp() {
  let reads = 0;
  let ends = 0;
  const changes = makeChanges();
  const room = Promise.withResolvers<undefined>();
  const queue = createFairQueue(1);
  const query = liveQuery({
    document: parse("subscription { a }"),
    read: () => Promise.resolve({ data: { a: ++reads } }),
    changes,
    pace: (read) => queue.run("a", () => room.promise.then(read)),
    ended: () => ends++,
  });
  const next = async () => ((await query.next()) as IteratorYieldResult<ExecutionResult>).value.data?.a;
  return { query, next, changes, room, reads: () => reads, ends: () => ends };
}
/** Every promise that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("it is read at once, and after marks once, when there is room", async () => {
  const { next, changes, room, reads } = setUp();
  expect(await next()).toBe(1);
  const second = next();
  for (let count = 0; count < 100; count++) {
    changes.mark();
    await settled();
  }
  expect(reads()).toBe(1);
  room.resolve(undefined);
  expect(await second).toBe(2);
  const third = next();
  await settled();
  expect(reads()).toBe(2);
  changes.mark();
  expect(await third).toBe(3);
});

test("one that is completed ends at once, though nothing changes", async () => {
  const { query, next, ends } = setUp();
  await next();
  const pending = query.next();
  await query.return?.();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(ends()).toBe(1);
});

test("one that is completed before it was read, or while it waits for room, is not read", async () => {
  const unread = setUp();
  await unread.query.return?.();
  expect([unread.reads(), unread.ends()]).toEqual([0, 1]);

  const { query, next, changes, room, reads, ends } = setUp();
  await next();
  const pending = query.next();
  changes.mark();
  await settled();
  const returned = query.return?.();
  room.resolve(undefined);
  await Promise.all([pending, returned]);
  expect([reads(), ends()]).toEqual([1, 1]);
});
