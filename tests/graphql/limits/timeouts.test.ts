import { expect } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { test as baseTest } from "../../../testing/graphql/graphql_fixtures.ts";
import { bearer } from "../../../testing/service/rest_client.ts";
import { adminOf, askGraphql } from "../../../testing/graphql/graphql_client.ts";
import { logIn, signUp } from "../../../testing/service/people.ts";

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({
  worker: false,
  env: { GRAPHQL_STATEMENT_TIMEOUT_MS: "1000" },
}));

test("a statement that takes too long is a timeout, and releases its connection", async ({ database, guest }) => {
  await database.query(
    `alter policy "a guest sees its own session" on "user".session using (pg_sleep(600) is not null)`,
  );
  const response = await guest("{ user_session { id } }");
  expect(response).toMatchObject({ code: "timeout", message: "The request took too long.", data: null });
  await database.query(`alter policy "a guest sees its own session" on "user".session using (true)`);
  // The time-out applies to this query too: on a busy machine it may end it once or twice.
  await eventually("the connection answers", async () => {
    return (await guest("{ user_session(limit: 1) { id } }")).code === undefined;
  });
});

test("many statements, each within the time-out, have one time-out together", async ({ database, guest }) => {
  await database.query(
    `alter policy "a guest sees its own session" on "user".session using (pg_sleep(0.4) is not null)`,
  );
  const response = await guest(
    `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: user_session(limit: ${index + 1}) { id }`).join(" ")} }`,
  );
  expect(response).toMatchObject({ code: "timeout", data: null });
  await database.query(`alter policy "a guest sees its own session" on "user".session using (true)`);
});

test("a user's mutations have one second together, the admin's have the statement time-out", async ({
  startOtherService,
}) => {
  const another = await startOtherService();
  const { access_token, session_id } = await logIn(another, await signUp(another));
  // A policy, which applies to what the mutation selects, records the statement time-out.
  await another.database.query(`create table public.recorded (role text, ms integer);
    create function public.record_timeout() returns boolean language sql security definer as
      $$insert into public.recorded select current_setting('role'), setting::integer from pg_settings where name = 'statement_timeout'
        returning true$$`);
  for (const [policy, rows] of [
    ["a user sees its own account", "id = (select latchkey.user_id())"],
    ["the admin sees every account", "true"],
  ])
    await another.database.query(
      `alter policy "${policy}" on "user".account using (${rows} and public.record_timeout())`,
    );
  const selection = "{ id user { id } }";
  const asUser = askGraphql(another.url, bearer(access_token));
  expect((await asUser(`mutation { revoke_session(id: "${session_id}") ${selection} }`)).code).toBeUndefined();
  const asAdmin = askGraphql(another.url, adminOf(another.database));
  const change = `mutation { update_user_session_by_pk(pk_columns: { id: "${session_id}" }, _set: { revoked_at: "${new Date().toISOString()}" }) ${selection} }`;
  expect((await asAdmin(change)).code).toBeUndefined();
  const recorded = await another.database.query<{ role: string; ms: number }>(
    "select distinct on (role) * from public.recorded order by role, ms desc",
  );
  const [admin, user] = recorded;
  expect(admin).toMatchObject({ role: "latchkey_admin" });
  expect(admin!.ms).toBeGreaterThan(1_000);
  expect(user).toMatchObject({ role: "latchkey_user" });
  expect(user!.ms).toBeLessThanOrEqual(1_000);
});
