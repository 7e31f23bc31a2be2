import "../hasura/graphile_env.ts";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import type { Caller } from "../../authorization/caller.ts";
import { createBudget } from "./budget.ts";
import { createDocumentCache } from "./document_cache.ts";
import { executeRequest } from "./execute.ts";
import type { Engine } from "./engine.ts";
import { listLimits } from "./limits.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { createAudienceSchema } from "../hasura/preset.ts";
import { createPooledRead } from "./reads.ts";
import { prepareOperation } from "../transport/socket_requests.ts";

const session = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const guest: Caller = {
  audience: "user",
  settings: { role: "latchkey_guest", "latchkey.session_id": session },
  expires: undefined,
};

let database: TestDatabase;
let pool: pg.Pool;
let engine: Engine;
/** The steps of a request, in their order. */
let steps: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  const connectionString = serverConfig(database.env).GRAPHQL_DATABASE_URL;
  pool = openPool(
    { connectionString, application_name: "execute test", max: 2, pipeline: true },
    createLog("test", "silent"),
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  steps = [];
  const audience = await createAudienceSchema(pool, "user");
  const read = createPooledRead(pool, true);
  const recordRead =
    (step: "shared read" | "pooled read"): typeof read =>
    (settings, query, onDuration) => {
      steps.push(step);
      return read(settings, query, step === "pooled read" ? onDuration : undefined);
    };
  engine = {
    audience,
    documents: createDocumentCache(audience.schema, { introspection: true }),
    planCaches: createPlanCaches(audience.schema),
    listLimits: listLimits.user,
    budget: createBudget({ msPerSecond: 1_000 }),
    waitForTurn: (callerClass, payer) => Promise.resolve(void steps.push(`turn of ${callerClass} ${payer}`)),
    costlyQueue: {
      run(callerClass, payer, work) {
        steps.push(`slot of ${callerClass} ${payer}`);
        return work();
      },
    },
    database: {
      ...{ pool, prepareStatements: true },
      read: recordRead("shared read"),
      pooledRead: recordRead("pooled read"),
    },
    timeouts: { requestMs: 5_000, statementMs: 1_000 },
  };
});

const send = (query: string, caller = guest) =>
  executeRequest(engine, caller, {
    ...{ query, variables: {}, operationName: undefined },
    onOperation: () => void steps.push("prepare"),
  });

async function stepsOf(query: string, caller = guest): Promise<string[]> {
  steps = [];
  expect((await send(query, caller)).errors).toBeUndefined();
  return steps;
}
const turn = `turn of guests ${session}`;
const slot = `slot of guests ${session}`;

test("a new document waits for a turn before it is prepared, and again before it is planned; a cached one does not wait", async () => {
  const query = "{ user_session { id } }";
  expect(await stepsOf(query)).toEqual([turn, "prepare", turn, "pooled read"]);
  expect(await stepsOf(query)).toEqual(["prepare", "shared read"]);
});

test("a costly request waits for a slot in its queue and reads on the pool, however often it is sent", async () => {
  const long = "x".repeat(16_385);
  for (const query of [
    "{ user_session(limit: 1000) { id role created_at } }",
    `{ user_session(where: { role: { _eq: "${long}" } }) { id } }`,
  ])
    expect(await stepsOf(query)).toEqual([turn, "prepare", slot, turn, "pooled read"]);
  expect(await stepsOf("{ user_session(limit: 1000) { id role created_at } }")).toEqual([
    ...["prepare", slot, "pooled read"],
  ]);
});

test("a user's mutation waits for a slot and is charged for its connection; a query is charged for its pooled reads", async () => {
  const user = {
    ...guest,
    settings: { role: "latchkey_user", "latchkey.session_id": session, "latchkey.user_id": session },
  };
  const charged: [string, boolean][] = [];
  engine.database.charge = (_, kind, ms) => void charged.push([kind, ms > 0]);
  const usersTurn = `turn of users ${session}`;
  expect(await stepsOf("mutation { revoke_other_sessions { id } }", user)).toEqual([
    ...[usersTurn, "prepare", `slot of users ${session}`, usersTurn],
  ]);
  // The new document reads on the pool, with one charge for all statements; then it uses the shared connection.
  const reads = "{ a: user_session { id } b: user_session { id } }";
  await stepsOf(reads, user);
  await stepsOf(reads, user);
  expect(charged).toEqual([
    ["mutations", true],
    ["reads", true],
  ]);
});

test("a caller whose cached documents exceed their share waits for a turn with them, too", async () => {
  const query = "{ user_session { id } }";
  await stepsOf(query);
  engine.budget.admit(guest, true).chargeResponse(7_500_000);
  expect(await stepsOf(query)).toEqual([turn, "prepare", "shared read"]);
});

test("a new document on a socket waits for a turn before it is prepared, too", async () => {
  await prepareOperation(engine, { query: "{ user_session { role } }" }, guest);
  expect(steps).toEqual([turn]);
});

test("a caller whose cached documents exceed their share waits for a turn on a socket, too", async () => {
  const query = "{ user_session { id } }";
  await stepsOf(query);
  steps = [];
  await prepareOperation(engine, { query }, guest);
  expect(steps).toEqual([]);
  engine.budget.admit(guest, true).chargeResponse(7_500_000);
  await prepareOperation(engine, { query }, guest);
  expect(steps).toEqual([turn]);
});

test("a caller without budget is refused at once, without a turn, over HTTP and on a socket", async () => {
  engine.budget.chargeDatabase(guest.settings, 60_000);
  const refusal = { message: expect.stringMatching(/share of the server's time/) as string };
  await expect(stepsOf("{ user_session { id } }")).rejects.toMatchObject(refusal);
  expect(await prepareOperation(engine, { query: "{ user_session { id } }" }, guest)).toMatchObject([
    refusal,
  ]);
  expect(steps).toEqual([]);
});

test("a response is charged by its length", async () => {
  const charged: number[] = [];
  const { admit } = engine.budget;
  engine.budget.admit = (caller, isCached) => ({
    ...admit(caller, isCached),
    chargeResponse: (bytes) => void charged.push(bytes),
  });
  await stepsOf("{ user_session { id } }");
  expect(charged).toEqual(['{"user_session":[]}'.length]);
});

test("preparing, planning and serializing are charged over HTTP, and preparing on a socket", async () => {
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
  expect(await stepsOf(query)).toEqual([
    ...[turn, "charge", "prepare", turn, "charge", "pooled read", "charge"],
  ]);
  steps = [];
  await prepareOperation(engine, { query }, guest);
  expect(steps).toEqual(["charge"]);
});

test("the statements of a costly request have less time together than those of another request", async () => {
  let elapsedMs = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + elapsedMs);
  onTestFinished(() => clock.mockRestore());
  const { pooledRead } = engine.database;
  // Each statement takes 600 ms of the mocked clock.
  let timeouts: number[] = [];
  const slowRead: typeof pooledRead = async (settings, query, onDuration) => {
    timeouts.push(Number(settings.statement_timeout));
    elapsedMs += 600;
    return pooledRead(settings, query, onDuration);
  };
  engine.database = { ...engine.database, pooledRead: slowRead };
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
