import { GraphQLError, type ExecutionResult } from "postgraphile/graphql";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("a read that fails is repeated until it succeeds, and its error is sent once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const busy = { errors: [new GraphQLError("busy")], data: null };
  const results: ExecutionResult[] = [{ data: { a: 1 } }, busy, busy, { data: { a: 2 } }];
  const changes = createChangeSignal();
  let reads = 0;
  const query = createLiveQuery({
    read: () => Promise.resolve(results[reads++] ?? busy),
    changes,
    queueRead: (read) => read(),
    onEnd: () => undefined,
  });
  expect(await query.next()).toMatchObject({ value: results[0] });
  changes.notify();
  expect(await query.next()).toMatchObject({ value: busy });
  const next = query.next();
  await settled();
  expect(reads).toBe(2);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(reads).toBe(3);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await next).toMatchObject({ value: results[3] });
  void query.next();
  await settled();
  expect(vi.getTimerCount()).toBe(0);
});

test("one whose reads fail for good is read once a minute or so, and never again once it has ended", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const changes = createChangeSignal();
  let reads = 0;
  const fault = { errors: [new GraphQLError("a fault")] };
  const query = createLiveQuery({
    read: () => {
      reads++;
      return Promise.resolve(fault);
    },
    changes,
    queueRead: (read) => read(),
    onEnd: () => undefined,
  });
  await query.next();
  void query.next();
  await vi.advanceTimersByTimeAsync(120_000);
  const before = reads;
  await vi.advanceTimersByTimeAsync(1_800_000);
  expect(reads - before).toBeGreaterThanOrEqual(20);
  expect(reads - before).toBeLessThanOrEqual(60);
  await query.return?.();
  const ended = reads;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(reads).toBe(ended);
});
