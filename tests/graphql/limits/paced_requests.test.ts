import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";
import { bearer } from "../../../testing/service/rest_client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { askGraphql } from "../../../testing/graphql/graphql_client.ts";
import { waitingPerPrincipal } from "../../../graphql/request_limits.ts";

const tooManyRequests = "Too many requests of this user, or of guests at this address";

test("one costly request of a principal runs at a time, and a limited number waits", async ({
  database,
  askAs,
  newGuest,
}) => {
  const guest = askAs(await newGuest());
  const costly = "{ platform_otp_transaction(limit: 1000) { id identifier purpose } }";
  expect((await guest(costly)).code).toBeUndefined();
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin; lock table platform.otp_transaction");
  const waiting = async () => {
    const rows = await database.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql guests'
       and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  let maxWaiting = 0;
  let timeouts = 0;
  const refused = new Set<number>();
  const send = async () => {
    const { code, message, status } = await guest(costly);
    if (code === "timeout") timeouts++;
    if (message?.includes(tooManyRequests)) refused.add(status);
  };
  const responses = Promise.all(Array.from({ length: 2 * waitingPerPrincipal }, send));
  await eventually("two have timed out, and the queue was full", async () => {
    maxWaiting = Math.max(maxWaiting, await waiting());
    return timeouts >= 2 && refused.size > 0;
  });
  await holder.end();
  expect(maxWaiting).toBe(1);
  await responses;
  expect(refused).toEqual(new Set([429]));
});

test("all documents of a page with ten new ones are served, for several callers at once", async ({
  service,
  newGuest,
}) => {
  const server = await service.startAnotherServer({});
  onTestFinished(() => server.stop());
  const callers = await Promise.all(
    [1, 2].map(async () => askGraphql(server.url, bearer((await newGuest()).access_token))),
  );
  const page = Array.from(
    { length: 10 },
    (_, index) => `query Page${index} { user_session(limit: ${index + 1}) { id role user { id phone } } }`,
  );
  const refusalOf = async (ask: (typeof callers)[number], query: string) => (await ask(query)).message;
  const refusals = await Promise.all(callers.flatMap((ask) => page.map((query) => refusalOf(ask, query))));
  expect(refusals.filter(Boolean)).toEqual([]);
});
