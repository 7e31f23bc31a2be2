import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { bearer, type Client } from "../../../testing/client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { askGraphql, type Ask, type GraphqlAnswer } from "../../../testing/graphql_client.ts";
import { logIn, signUp } from "../../../testing/people.ts";
import { startService, type Service } from "../../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function newUser(server: { url: string; client: Client }): Promise<Ask> {
  const { access_token } = await logIn(server, await signUp(service));
  return askGraphql(server.url, bearer(access_token));
}

/** Whatever needs what the statement locks now waits, until its time is over. */
async function hold(statement: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: service.database.superuserUrl });
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query(`begin; ${statement}`);
  return () => holder.end();
}
const accounts = 'lock table "user".account';
const sessions = 'select from "user".session for update';

test("of the slow reads of one caller one runs at a time", async () => {
  const ask = await newUser(service);
  const reads = ["a", "b", "c", "d", "e"].map((name) => () => ask(`{ ${name}: user_account { phone } }`));
  // Known documents: they wait for no turn.
  for (const read of reads) await read();
  const release = await hold(accounts);
  const answers: GraphqlAnswer[] = [];
  const all = Promise.all(reads.map(async (read) => answers.push(await read())));
  let most = 0;
  await eventually("two have waited in vain", async () => {
    const waiting = await service.database.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql' and wait_event_type = 'Lock'",
    );
    most = Math.max(most, waiting.length);
    return answers.length >= 2;
  });
  await release();
  await all;
  expect(most).toBe(1);
  expect(answers[0]).toMatchObject({ code: "timeout" });
});

test.each([
  ["{ user_account { phone } }", accounts],
  ["mutation { revoke_other_sessions { id } }", sessions],
])("whoever keeps the database busy pays for it: %s", async (slow, held) => {
  const server = await service.startAnotherServer({ GRAPHQL_BUDGET_MS: "200" });
  onTestFinished(() => server.stop());
  const [ask, other] = [await newUser(server), await newUser(server)];
  const known = "{ user_session { id } }";
  for (const each of [ask, other]) expect((await each(known)).code).toBeUndefined();
  const release = await hold(held);
  expect(await ask(slow)).toMatchObject({ code: "timeout" });
  await release();
  expect(await ask(known)).toMatchObject({ status: 429, code: "limit-exceeded" });
  expect((await other(known)).code).toBeUndefined();
});
