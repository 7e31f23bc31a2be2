import pg from "pg";
import { expect, test } from "vitest";
import { createBatcher, type Batcher } from "./batch.ts";
import { NotConnected } from "../../runtime/database_errors.ts";

/** What was asked together and what alone, in the order of asking. */
function recorded({ fail = () => undefined, alone = (call: number) => Promise.resolve(call) }): {
  calls: Batcher<number, number>;
  asked: (number | number[])[];
} {
  const asked: (number | number[])[] = [];
  const calls = createBatcher<number, number>({
    lockKeyOf: String,
    runBatch: async (group) => {
      asked.push([...group]);
      fail();
      return Promise.resolve(group);
    },
    runSingle: (call) => {
      asked.push(call);
      return alone(call);
    },
  });
  return { calls, asked };
}
const databaseError = (code: string, severity: string) =>
  Object.assign(new pg.DatabaseError("no", 2, "error"), { code, severity });
const raise = (error: Error) => () => {
  throw error;
};

test.each([
  ["a pooler that lost its server", databaseError("08P01", "FATAL")],
  ["a backend told to end", databaseError("57P01", "FATAL")],
  ["a backend that fails", databaseError("XX000", "FATAL")],
  ["a language that we do not read", databaseError("57P01", "SCHWERWIEGEND")],
  ["a broken connection", new Error("Connection terminated unexpectedly")],
])("%s may have committed: nobody is asked again", async (_, error) => {
  const { calls, asked } = recorded({ fail: raise(error) });
  const answers = await Promise.allSettled([1, 2].map((id) => calls.call(id)));
  expect(answers).toEqual(Array(2).fill({ status: "rejected", reason: error }));
  expect(asked).toEqual([[1, 2]]);
});

test.each([
  ["a row that is held", databaseError("55P03", "ERROR")],
  ["a connection that was not to be had", new NotConnected("connect ECONNREFUSED")],
])("%s committed nothing: each is asked alone", async (_, error) => {
  const { calls, asked } = recorded({ fail: raise(error) });
  expect(await Promise.all([1, 2].map((id) => calls.call(id)))).toEqual([1, 2]);
  expect(asked).toEqual([[1, 2], 1, 2]);
});

test("while a call about a row is asked alone, others about that row are, and nobody else", async () => {
  let failures = 1;
  const [held, longer] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const answers = [held.promise, longer.promise, Promise.resolve(1)];
  const { calls, asked } = recorded({
    fail: () => {
      if (failures-- > 0) throw databaseError("55P03", "ERROR");
    },
    alone: (call) => (call === 1 ? answers.shift() : undefined) ?? Promise.resolve(call),
  });
  const first = calls.call(1);
  expect(await calls.call(2)).toBe(2);
  const second = calls.call(1);
  expect(await Promise.all([3, 2].map((id) => calls.call(id)))).toEqual([3, 2]);
  held.resolve(1);
  expect(await first).toBe(1);
  expect(await calls.call(1)).toBe(1);
  longer.resolve(1);
  expect(await second).toBe(1);
  expect(await calls.call(1)).toBe(1);
  expect(asked).toEqual([[1, 2], 1, 2, 1, [2, 3], 1, [1]]);
});

test("a group locks in one order, whoever asked first", async () => {
  const { calls, asked } = recorded({});
  expect(await Promise.all([3, 1, 2, 1].map((id) => calls.call(id)))).toEqual([3, 1, 2, 1]);
  expect(asked).toEqual([[1, 1, 2, 3]]);
});
