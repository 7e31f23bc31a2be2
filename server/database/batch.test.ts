import pg from "pg";
import { expect, test } from "vitest";
import { createBatcher, type Batcher } from "./batch.ts";
import { NotConnected } from "../../runtime/database/errors.ts";

/** A batcher that records its batches (arrays) and single calls, in the order in which they ran. */
function recorded({
  fail = () => undefined,
  runAlone = (call: number) => Promise.resolve(call),
  answers,
}: {
  fail?: () => void;
  runAlone?: (call: number) => Promise<number>;
  answers?: number[];
}): {
  calls: Batcher<number, number>;
  ran: (number | number[])[];
} {
  const ran: (number | number[])[] = [];
  const calls = createBatcher<number, number>({
    lockKeyOf: String,
    maxSize: 64,
    runBatch: async (group) => {
      ran.push([...group]);
      fail();
      return Promise.resolve(answers ?? group);
    },
    runSingle: (call) => {
      ran.push(call);
      return runAlone(call);
    },
  });
  return { calls, ran };
}
const databaseError = (code: string, severity: string) =>
  Object.assign(new pg.DatabaseError("no", 2, "error"), { code, severity });
const raise = (error: Error) => () => {
  throw error;
};

test.each([
  ["a pooler that lost its server", databaseError("08P01", "FATAL")],
  ["a terminated backend", databaseError("57P01", "FATAL")],
  ["a backend that fails", databaseError("XX000", "FATAL")],
  ["another language of messages", databaseError("57P01", "SCHWERWIEGEND")],
  ["a broken connection", new Error("Connection terminated unexpectedly")],
])("%s may have committed: no call is retried", async (_, error) => {
  const { calls, ran } = recorded({ fail: raise(error) });
  const answers = await Promise.allSettled([1, 2].map((id) => calls.call(id)));
  expect(answers).toEqual(Array(2).fill({ status: "rejected", reason: error }));
  expect(ran).toEqual([[1, 2]]);
});

test.each([
  ["a locked row", databaseError("55P03", "ERROR")],
  ["a connection that could not be opened", new NotConnected("connect ECONNREFUSED")],
])("%s committed nothing: each call is retried alone", async (_, error) => {
  const { calls, ran } = recorded({ fail: raise(error) });
  expect(await Promise.all([1, 2].map((id) => calls.call(id)))).toEqual([1, 2]);
  expect(ran).toEqual([[1, 2], 1, 2]);
});

test.each([
  ["too few", [1]],
  ["too many", [1, 2, 3]],
])("a batch with %s answers fails each call, and none is retried: the batch is committed", async (_, answers) => {
  const { calls, ran } = recorded({ answers });
  const outcomes = await Promise.allSettled([1, 2].map((id) => calls.call(id)));
  const reason = new Error(`a batch of 2 calls has ${answers.length} answers`);
  expect(outcomes).toEqual(Array(2).fill({ status: "rejected", reason }));
  expect(ran).toEqual([[1, 2]]);
});

test("while a call runs alone, calls with the same lock key run alone, and all others in batches", async () => {
  let failures = 1;
  const [locked, longer] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const answers = [locked.promise, longer.promise, Promise.resolve(1)];
  const { calls, ran } = recorded({
    fail: () => {
      if (failures-- > 0) throw databaseError("55P03", "ERROR");
    },
    runAlone: (call) => (call === 1 ? answers.shift() : undefined) ?? Promise.resolve(call),
  });
  const first = calls.call(1);
  expect(await calls.call(2)).toBe(2);
  const second = calls.call(1);
  expect(await Promise.all([3, 2].map((id) => calls.call(id)))).toEqual([3, 2]);
  locked.resolve(1);
  expect(await first).toBe(1);
  expect(await calls.call(1)).toBe(1);
  longer.resolve(1);
  expect(await second).toBe(1);
  expect(await calls.call(1)).toBe(1);
  expect(ran).toEqual([[1, 2], 1, 2, 1, [2, 3], 1, [1]]);
});

test("a batch locks rows in one order, in whatever order the calls arrived", async () => {
  const { calls, ran } = recorded({});
  expect(await Promise.all([3, 1, 2, 1].map((id) => calls.call(id)))).toEqual([3, 1, 2, 1]);
  expect(ran).toEqual([[1, 1, 2, 3]]);
});
