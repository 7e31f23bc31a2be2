import { expect } from "vitest";
import { createLog } from "../../../runtime/log.ts";
import { prepareOperation, readSubscription } from "../../transport/socket_requests.ts";
import { guest, session, test } from "./fixtures/engine_fixtures.ts";

test("a new document reads on the pool, and a cached one on the shared connection", async ({ stepsOf }) => {
  const query = "{ user_session { id } }";
  expect(await stepsOf(query)).toEqual(["prepare", "pooled read"]);
  expect(await stepsOf(query)).toEqual(["prepare", "shared read"]);
});

test("a costly request reads on the pool, however often it is sent", async ({ stepsOf }) => {
  const long = "x".repeat(16_385);
  for (const query of [
    "{ user_session(limit: 1000) { id role created_at } }",
    `{ user_session(where: { role: { _eq: "${long}" } }) { id } }`,
  ])
    for (let time = 0; time < 2; time++) expect(await stepsOf(query)).toEqual(["prepare", "pooled read"]);
});

test("new and costly documents of guests count against the budget of all guests, and cached ones do not", async ({
  engine,
  stepsOf,
}) => {
  let heavy = 0;
  const { admit } = engine.budget;
  engine.budget.admit = (caller, isKnown) => ({
    ...admit(caller, isKnown),
    countAsHeavy: () => {
      heavy++;
    },
    countAsCostly: () => {
      heavy++;
    },
  });
  const heavyOf = async (query: string) => {
    heavy = 0;
    await stepsOf(query);
    return heavy;
  };
  expect(await heavyOf("{ user_session { id } }")).toBe(1);
  expect(await heavyOf("{ user_session { id } }")).toBe(0);
  const costly = "{ user_session(limit: 1000) { id role created_at } }";
  expect(await heavyOf(costly)).toBe(2);
  expect(await heavyOf(costly)).toBe(1);
});

test("a mutation is charged for its connection, and a query for its pooled reads", async ({ engine, stepsOf }) => {
  const user = {
    ...guest,
    settings: { role: "latchkey_user", "latchkey.session_id": session, "latchkey.user_id": session },
  };
  const charged: number[] = [];
  const { admit } = engine.budget;
  engine.budget.admit = (caller, isKnown) => ({
    ...admit(caller, isKnown),
    chargeDatabase: (ms) => void charged.push(ms),
  });
  await stepsOf("mutation { revoke_other_sessions { id } }", user);
  expect(charged).toHaveLength(1);
  charged.length = 0;
  // The new document reads on the pool; then it uses the shared connection.
  const reads = "{ a: user_session { id } b: user_session(offset: 1) { id } }";
  await stepsOf(reads, user);
  expect(charged).toHaveLength(2);
  charged.length = 0;
  await stepsOf(reads, user);
  expect(charged).toEqual([]);
});

test("a subscription is no new document once its query is planned", async ({ engine, steps }) => {
  const [subscription, query] = ["subscription { user_session { id } }", "{ user_session { id } }"];
  const request = { query: subscription, variables: {}, operationName: undefined };
  const subscribe = async () => {
    steps.splice(0);
    prepareOperation(engine, { query: subscription }, guest);
    const { errors } = await readSubscription(engine, guest, request, query, createLog("test", "silent"));
    expect(errors).toBeUndefined();
    return [...steps];
  };
  expect(await subscribe()).toEqual(["pooled read"]);
  expect(await subscribe()).toEqual(["shared read"]);
  expect(engine.documents.isCached(request)).toBe(true);
});
