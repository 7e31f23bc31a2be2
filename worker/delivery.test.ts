import { expect, test } from "vitest";
import { createDelivery } from "./delivery.ts";

/** A pool that records the ids of each statement and issues no code. */
function recordedPool() {
  const statements: unknown[] = [];
  const queryWithRetry = (_text: string, [ids]: unknown[] = []) => {
    statements.push(ids);
    return Promise.resolve((ids as string[]).map(() => ({ message: null, wait_ms: null })));
  };
  return { statements, pool: { query: undefined, queryWithRetry } as never };
}
const outcome = { outcome: "sent" } as never;

test.each([
  [
    "in one transaction",
    true,
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["in a transaction of its own, without delivery_batch", false, [["a"], ["b"], ["c"], ["d"]]],
])("statements that jobs send at the same time run %s", async (_, batches, expected) => {
  const { statements, pool } = recordedPool();
  const delivery = createDelivery(pool, batches);
  await Promise.all(["a", "b"].map((id) => delivery.issueOtpCode(id, Buffer.alloc(32), [])));
  await Promise.all(["c", "d"].map((id) => delivery.recordAttempt(id, outcome, 1)));
  expect(statements).toEqual(expected);
});
