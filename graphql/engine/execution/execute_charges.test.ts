import { expect, onTestFinished, vi } from "vitest";
import { prepareOperation } from "../../transport/socket_requests.ts";
import { guest, test } from "./fixtures/engine_fixtures.ts";

test("a caller without budget is refused at once, over HTTP and on a socket", async ({ engine, steps, stepsOf }) => {
  engine.budget.admit(guest, true).chargeDatabase(60_000);
  const refusal = { message: expect.stringMatching(/share of the server's time/) as string };
  await expect(stepsOf("{ user_session { id } }")).rejects.toMatchObject(refusal);
  expect(prepareOperation(engine, { query: "{ user_session { id } }" }, guest)).toMatchObject([refusal]);
  expect(steps).toEqual([]);
});

test("a response is charged by its length", async ({ engine, stepsOf }) => {
  const charged: number[] = [];
  const { admit } = engine.budget;
  engine.budget.admit = (caller, isCached) => ({
    ...admit(caller, isCached),
    chargeResponse: (bytes) => void charged.push(bytes),
  });
  await stepsOf("{ user_session { id } }");
  expect(charged).toEqual(['{"user_session":[]}'.length]);
});

test("preparing, planning and serializing are charged over HTTP, and preparing on a socket", async ({
  engine,
  steps,
  stepsOf,
}) => {
  const query = "{ user_session { id } }";
  const { admit } = engine.budget;
  engine.budget.admit = (caller, isCached) => {
    const budget = admit(caller, isCached);
    return {
      ...budget,
      run(work) {
        steps.push("charge");
        return budget.run(work);
      },
    };
  };
  expect(await stepsOf(query)).toEqual(["charge", "prepare", "charge", "pooled read", "charge"]);
  steps.splice(0);
  prepareOperation(engine, { query }, guest);
  expect(steps).toEqual(["charge"]);
});

test("the statements of a costly request have less time together than those of another request", async ({
  engine,
  send,
}) => {
  let elapsedMs = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + elapsedMs);
  onTestFinished(() => clock.mockRestore());
  const database = engine.databaseOf("guests");
  const { pooledRead } = database;
  // Each statement takes 600 ms of the mocked clock.
  let timeouts: number[] = [];
  const slowRead: typeof pooledRead = async (settings, query, caller) => {
    timeouts.push(Number(settings.statement_timeout));
    elapsedMs += 600;
    return pooledRead(settings, query, caller);
  };
  engine.databaseOf = () => ({ ...database, pooledRead: slowRead });
  const threeFields = (limit: number) =>
    [0, 1, 2]
      .map((offset) => `a${offset}: user_session(limit: ${limit}, offset: ${offset}) { id role created_at }`)
      .join(" ");
  expect((await send(`{ ${threeFields(10)} }`)).errors).toBeUndefined();
  expect(timeouts).toEqual([1_000, 1_000, 1_000]);
  timeouts = [];
  expect((await send(`{ ${threeFields(1000)} }`)).errors?.[0]?.originalError).toMatchObject({
    code: "timeout",
  });
  expect(timeouts[1], "the time that the first statement has left").toBeLessThanOrEqual(400);
});

test("a request with a pattern never uses the connection that callers share, also when its document is known", async ({
  stepsOf,
}) => {
  const [like, pattern] = ["_like", "_regex"].map(
    (operator) => `{ user_account(where: { phone: { ${operator}: "a" } }) { id } }`,
  );
  await stepsOf(like!);
  expect(await stepsOf(like!)).toContain("shared read");
  await stepsOf(pattern!);
  expect(await stepsOf(pattern!)).not.toContain("shared read");
});
