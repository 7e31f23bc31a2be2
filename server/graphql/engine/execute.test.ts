import "../hasura/graphile_env.ts";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import type { Caller } from "../../authorization/caller.ts";
import { createBudget } from "./budget.ts";
import { makeDocuments } from "./documents.ts";
import { executeRequest } from "./execute.ts";
import type { Engine } from "./engine.ts";
import { listBounds } from "./limits.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { makeAudienceSchema } from "../hasura/preset.ts";
import { readFrom } from "./reads.ts";
import { operationOf } from "../transport/socket_requests.ts";

const session = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const guest: Caller = {
  audience: "user",
  settings: { role: "latchkey_guest", "latchkey.session_id": session },
  expires: undefined,
};

let database: TestDatabase;
let pool: pg.Pool;
let engine: Engine;
/** What the request went through, in this order. */
let way: string[];
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
  way = [];
  const audience = await makeAudienceSchema(pool, "user");
  const read = readFrom(pool, true);
  const saying =
    (what: string): typeof read =>
    (settings, query, spent) => {
      way.push(what);
      return read(settings, query, what === "read alone" ? spent : undefined);
    };
  engine = {
    audience,
    documents: makeDocuments(audience.schema, { introspection: true }),
    plans: createPlanCaches(audience.schema),
    lists: listBounds.user,
    budget: createBudget({ msPerSecond: 1_000 }),
    turn: (line, payer) => Promise.resolve(void way.push(`turn of ${line} ${payer}`)),
    costly: {
      run(line, payer, work) {
        way.push(`place of ${line} ${payer}`);
        return work();
      },
    },
    access: { pool, prepared: true, read: saying("read"), readAlone: saying("read alone") },
    longest: { ms: 5_000, statementMs: 1_000 },
  };
});

const ask = (query: string, caller = guest) =>
  executeRequest(engine, caller, {
    ...{ query, variables: {}, operationName: undefined },
    onOperation: () => void way.push("prepare"),
  });

async function wayOf(query: string, caller = guest): Promise<string[]> {
  way = [];
  expect((await ask(query, caller)).errors).toBeUndefined();
  return way;
}
const turn = `turn of guests ${session}`;
const place = `place of guests ${session}`;

test("a new document has a turn before it is prepared and another one before it is planned; a known one needs none", async () => {
  const query = "{ user_session { id } }";
  expect(await wayOf(query)).toEqual([turn, "prepare", turn, "read alone"]);
  expect(await wayOf(query)).toEqual(["prepare", "read"]);
});

test("a costly request waits for its place and reads alone, however often it is sent", async () => {
  const long = "x".repeat(16_385);
  for (const query of [
    "{ user_session(limit: 1000) { id role created_at } }",
    `{ user_session(where: { role: { _eq: "${long}" } }) { id } }`,
  ])
    expect(await wayOf(query)).toEqual([turn, "prepare", turn, place, "read alone"]);
  expect(await wayOf("{ user_session(limit: 1000) { id role created_at } }")).toEqual([
    ...["prepare", place, "read alone"],
  ]);
});

test("a user's mutation waits for a place; it is charged for its connection, and reads for those that ran alone", async () => {
  const user = {
    ...guest,
    settings: { role: "latchkey_user", "latchkey.session_id": session, "latchkey.user_id": session },
  };
  const charged: [string, boolean][] = [];
  engine.access.charge = (_, kind, ms) => void charged.push([kind, ms > 0]);
  const usersTurn = `turn of users ${session}`;
  expect(await wayOf("mutation { revoke_other_sessions { id } }", user)).toEqual([
    ...[usersTurn, "prepare", usersTurn, `place of users ${session}`],
  ]);
  // Alone because it is new, one charge for all of its statements; then over the connection that all share.
  const reads = "{ a: user_session { id } b: user_session { id } }";
  await wayOf(reads, user);
  await wayOf(reads, user);
  expect(charged).toEqual([
    ["mutations", true],
    ["reads", true],
  ]);
});

test("a caller whose known documents are dear takes turns for them, too", async () => {
  const query = "{ user_session { id } }";
  await wayOf(query);
  engine.budget.open(guest, true).chargeAnswer(7_500_000);
  expect(await wayOf(query)).toEqual([turn, "prepare", "read"]);
});

test("what a socket sends has a turn before it is prepared, too", async () => {
  await operationOf(engine, { query: "{ user_session { role } }" }, guest);
  expect(way).toEqual([turn]);
});

test("nor are a socket's known documents without a turn when they are dear", async () => {
  const query = "{ user_session { id } }";
  await wayOf(query);
  way = [];
  await operationOf(engine, { query }, guest);
  expect(way).toEqual([]);
  engine.budget.open(guest, true).chargeAnswer(7_500_000);
  await operationOf(engine, { query }, guest);
  expect(way).toEqual([turn]);
});

test("whoever has spent its share is refused at once and takes no turn, by HTTP or on a socket", async () => {
  engine.budget.chargeDatabase(guest.settings, 60_000);
  const refusal = { message: expect.stringMatching(/share of the server's time/) as string };
  await expect(wayOf("{ user_session { id } }")).rejects.toMatchObject(refusal);
  expect(await operationOf(engine, { query: "{ user_session { id } }" }, guest)).toMatchObject([refusal]);
  expect(way).toEqual([]);
});

test("an answer is charged by its length", async () => {
  const charged: number[] = [];
  const { open } = engine.budget;
  engine.budget.open = (caller, known) => ({
    ...open(caller, known),
    chargeAnswer: (bytes) => void charged.push(bytes),
  });
  await wayOf("{ user_session { id } }");
  expect(charged).toEqual(['{"user_session":[]}'.length]);
});

test("preparing, planning and putting the answer together are charged, by HTTP and on a socket", async () => {
  const query = "{ user_session { id } }";
  const { open } = engine.budget;
  engine.budget.open = (caller, known) => {
    const account = open(caller, known);
    return {
      ...account,
      spend(work) {
        way.push("charged for");
        return account.spend(work);
      },
    };
  };
  expect(await wayOf(query)).toEqual([
    ...[turn, "charged for", "prepare", turn, "charged for", "read alone", "charged for"],
  ]);
  way = [];
  await operationOf(engine, { query }, guest);
  expect(way).toEqual(["charged for"]);
});

test("the statements of a costly request have less time together than those of any other", async () => {
  let passed = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
  onTestFinished(() => clock.mockRestore());
  const { readAlone } = engine.access;
  // Three root fields, whose statements take 600 ms each as far as the clock tells.
  let timeouts: number[] = [];
  const slow: typeof readAlone = async (settings, query, spent) => {
    timeouts.push(Number(settings.statement_timeout));
    passed += 600;
    return readAlone(settings, query, spent);
  };
  engine.access = { ...engine.access, readAlone: slow };
  const three = (limit: number) =>
    [0, 1, 2]
      .map((offset) => `a${offset}: user_session(limit: ${limit}, offset: ${offset}) { id role created_at }`)
      .join(" ");
  expect((await ask(`{ ${three(10)} }`)).errors).toBeUndefined();
  expect(timeouts).toEqual([1_000, 1_000, 1_000]);
  timeouts = [];
  expect((await ask(`{ ${three(1000)} }`)).errors?.[0]?.originalError).toMatchObject({ code: "timeout" });
  expect(timeouts[1], "what the first has left").toBeLessThanOrEqual(400);
});
