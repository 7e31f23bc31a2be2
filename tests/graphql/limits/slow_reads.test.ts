import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { test as baseTest } from "../../../testing/graphql/graphql_fixtures.ts";
import { bearer, type Client } from "../../../testing/service/rest_client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { askGraphql, type Ask, type GraphqlAnswer } from "../../../testing/graphql/graphql_client.ts";
import { logIn, signUp } from "../../../testing/service/people.ts";

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({}))
  /** Signs up at the service and returns a client of this server. */
  .extend("newUser", ({ service }) => async (server: { url: string; client: Client }): Promise<Ask> => {
    const { access_token } = await logIn(server, await signUp(service));
    return askGraphql(server.url, bearer(access_token));
  })
  /** Locks rows or a table with the statement; returns a function that releases the lock. */
  .extend("hold", ({ database }) => async (statement: string): Promise<() => Promise<void>> => {
    const holder = new pg.Client({ connectionString: database.superuserUrl });
    holder.on("error", () => undefined);
    await holder.connect();
    await holder.query(`begin; ${statement}`);
    return () => holder.end();
  });
// signUp needs a worker.
/** The authorization of a request reads sessions and accounts, and these not. */
const lockCodes = "lock table platform.otp_transaction";
const lockSessions = 'select from "user".session for update';

test("one slow read of a caller runs at a time", async ({ service, database, newUser, hold }) => {
  const ask = await newUser(service);
  const reads = ["a", "b", "c", "d", "e"].map((name) => () => ask(`{ ${name}: platform_otp_transaction { id } }`));
  for (const read of reads) await read();
  const release = await hold(lockCodes);
  const answers: GraphqlAnswer[] = [];
  const all = Promise.all(reads.map(async (read) => answers.push(await read())));
  let maxWaiting = 0;
  await eventually("two have timed out", async () => {
    const waiting = await database.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql users' and wait_event_type = 'Lock'",
    );
    maxWaiting = Math.max(maxWaiting, waiting.length);
    return answers.length >= 2;
  });
  await release();
  await all;
  expect(maxWaiting).toBe(1);
  expect(answers[0]).toMatchObject({ code: "timeout" });
});

test.for<[string, string]>([
  ["{ platform_otp_transaction { id } }", lockCodes],
  ["mutation { revoke_other_sessions { id } }", lockSessions],
])("a caller is charged for the time of the database: %s", async ([slow, lock], { service, newUser, hold }) => {
  const server = await service.startAnotherServer({ GRAPHQL_BUDGET_MS: "200" });
  onTestFinished(() => server.stop());
  const [ask, other] = [await newUser(server), await newUser(server)];
  const cachedQuery = "{ user_session { id } }";
  for (const each of [ask, other]) expect((await each(cachedQuery)).code).toBeUndefined();
  const release = await hold(lock);
  expect(await ask(slow)).toMatchObject({ code: "timeout" });
  // Requested before the lock is released, because the caller's share recovers with time. This query does not need the
  // lock.
  expect(await ask(cachedQuery)).toMatchObject({ status: 429, code: "limit-exceeded" });
  await release();
  expect((await other(cachedQuery)).code).toBeUndefined();
});
