import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { askGraphql, type Ask } from "../../../testing/graphql_client.ts";
import { logIn, signUp } from "../../../testing/people.ts";
import { startService, type Service } from "../../../testing/service.ts";

let service: Service;
let ask: Ask;
beforeAll(async () => {
  service = await startService({ worker: false, env: { GRAPHQL_STATEMENT_TIMEOUT_MS: "1000" } });
  ask = askGraphql(
    service.url,
    bearer(tokensOf(await service.client.post("/auth/session/guest")).access_token),
  );
});
afterAll(() => service.stop());

test("a statement that takes too long is a timeout, and releases its connection", async () => {
  await service.database.query(
    `alter policy "a guest sees its own session" on "user".session using (pg_sleep(30) is not null)`,
  );
  const response = await ask("{ user_session { id } }");
  expect(response).toMatchObject({ code: "timeout", message: "The request took too long.", data: null });
  await service.database.query(`alter policy "a guest sees its own session" on "user".session using (true)`);
  expect((await ask("{ user_session(limit: 1) { id } }")).code).toBeUndefined();
});

test("many statements, each within the time-out, have one time-out together", async () => {
  await service.database.query(
    `alter policy "a guest sees its own session" on "user".session using (pg_sleep(0.4) is not null)`,
  );
  const response = await ask(
    `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: user_session(limit: ${index + 1}) { id }`).join(" ")} }`,
  );
  expect(response).toMatchObject({ code: "timeout", data: null });
  await service.database.query(`alter policy "a guest sees its own session" on "user".session using (true)`);
});

test("requests that may be slow do not use the shared connection: the admin's, new documents, costly ones", async () => {
  const secret = "an admin secret of 32 characters or more";
  const another = await startService({ worker: false, env: { ADMIN_SECRET: secret } });
  const sharedConnections = () =>
    another.database.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql shared'",
    );
  const query = "{ user_session { id } }";
  const admin = askGraphql(another.url, { "x-admin-secret": secret });
  for (let time = 0; time < 2; time++) await admin(query);
  expect(await sharedConnections()).toHaveLength(0);

  const { access_token } = tokensOf(await another.client.post("/auth/session/guest"));
  const guest = askGraphql(another.url, bearer(access_token));
  await guest(query);
  expect(await sharedConnections(), "a new document").toHaveLength(0);
  const costly = `{ user_session(where: {_and: [${"{user: {id: {_is_null: true}}}, ".repeat(3)}]}) { id } }`;
  for (let time = 0; time < 2; time++) await guest(costly);
  expect(await sharedConnections(), "a costly document").toHaveLength(0);
  await guest(query);
  expect(await sharedConnections()).toHaveLength(1);
  await another.stop();
});

test("a user's mutations have one second together, the admin's have the statement time-out", async () => {
  const secret = "an admin secret of 32 characters or more";
  const another = await startService({ env: { ADMIN_SECRET: secret } });
  const { access_token, session_id } = await logIn(another, await signUp(another));
  // A policy, which applies to what the mutation selects, records the statement time-out.
  await another.database.query(`create table public.recorded (role text, ms integer);
    create function public.record_timeout() returns boolean language sql security definer as
      $$insert into public.recorded select current_setting('role'), setting::integer from pg_settings where name = 'statement_timeout'
        returning true$$`);
  for (const [policy, rows] of [
    ["a user sees its own account", "id = nullif(current_setting('latchkey.user_id', true), '')::uuid"],
    ["the admin sees every account", "true"],
  ])
    await another.database.query(
      `alter policy "${policy}" on "user".account using (${rows} and public.record_timeout())`,
    );
  const selection = "{ id user { id } }";
  const asUser = askGraphql(another.url, bearer(access_token));
  expect(
    (await asUser(`mutation { revoke_session(id: "${session_id}") ${selection} }`)).code,
  ).toBeUndefined();
  const asAdmin = askGraphql(another.url, { "x-admin-secret": secret });
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
  await another.stop();
});
