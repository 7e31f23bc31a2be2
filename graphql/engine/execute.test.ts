import { expect } from "vitest";
import { createLog } from "../../runtime/log.ts";
import { prepareOperation, readSubscription } from "../transport/socket_requests.ts";
import { guest, session, test } from "./fixtures/engine_fixtures.ts";

const turn = `turn of guests ${session}`;
const slot = `slot of guests ${session}`;

test("a new document waits for a turn before it is prepared, and again before it is planned; a cached one does not wait", async ({
  stepsOf,
}) => {
  const query = "{ user_session { id } }";
  expect(await stepsOf(query)).toEqual([turn, "prepare", turn, "pooled read"]);
  expect(await stepsOf(query)).toEqual(["prepare", "shared read"]);
});

test("a costly request waits for a slot in its queue and reads on the pool, however often it is sent", async ({
  stepsOf,
}) => {
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

test("a user's mutation waits for a slot and is charged for its connection; a query is charged for its pooled reads", async ({
  engine,
  stepsOf,
}) => {
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

test("a caller whose cached documents exceed their share waits for a turn with them, too", async ({
  engine,
  stepsOf,
}) => {
  const query = "{ user_session { id } }";
  await stepsOf(query);
  engine.budget.admit(guest, true).chargeResponse(7_500_000);
  expect(await stepsOf(query)).toEqual([turn, "prepare", "shared read"]);
});

test("a new document on a socket waits for a turn before it is prepared, too", async ({ engine, steps }) => {
  await prepareOperation(engine, { query: "{ user_session { role } }" }, guest);
  expect(steps).toEqual([turn]);
});

test("a subscription is no new document once its query is planned", async ({ engine, steps }) => {
  const [subscription, query] = ["subscription { user_session { id } }", "{ user_session { id } }"];
  const request = { query: subscription, variables: {}, operationName: undefined };
  const subscribe = async () => {
    steps.splice(0);
    await prepareOperation(engine, { query: subscription }, guest);
    const { errors } = await readSubscription(engine, guest, request, query, createLog("test", "silent"));
    expect(errors).toBeUndefined();
    return [...steps];
  };
  expect(await subscribe()).toEqual([turn, turn, turn, "pooled read"]);
  expect(await subscribe()).toEqual(["shared read"]);
});

test("a caller whose cached documents exceed their share waits for a turn on a socket, too", async ({
  engine,
  steps,
  stepsOf,
}) => {
  const query = "{ user_session { id } }";
  await stepsOf(query);
  steps.splice(0);
  await prepareOperation(engine, { query }, guest);
  expect(steps).toEqual([]);
  engine.budget.admit(guest, true).chargeResponse(7_500_000);
  await prepareOperation(engine, { query }, guest);
  expect(steps).toEqual([turn]);
});
