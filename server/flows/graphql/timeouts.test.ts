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

test("a statement that takes too long is a timeout, and gives its connection back", async () => {
  await service.database.query(
    `alter policy "a guest sees its own session" on "user".session using (pg_sleep(30) is not null)`,
  );
  const answered = await ask("{ user_session { id } }");
  expect(answered).toMatchObject({ code: "timeout", message: "The request took too long.", data: null });
  await service.database.query(`alter policy "a guest sees its own session" on "user".session using (true)`);
  expect((await ask("{ user_session(limit: 1) { id } }")).code).toBeUndefined();
});

test("statements that are each quick enough do not add up to minutes", async () => {
  await service.database.query(
    `alter policy "a guest sees its own session" on "user".session using (pg_sleep(0.4) is not null)`,
  );
  const answered = await ask(
    `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: user_session(limit: ${index + 1}) { id }`).join(" ")} }`,
  );
  expect(answered).toMatchObject({ code: "timeout", data: null });
  await service.database.query(`alter policy "a guest sees its own session" on "user".session using (true)`);
});

test("whoever may take long keeps nobody waiting on a connection that others share: the admin, a new document, a costly one", async () => {
  const secret = "an admin secret of 32 characters or more";
  const own = await startService({ worker: false, env: { ADMIN_SECRET: secret } });
  const sharing = () =>
    own.database.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql shared'",
    );
  const query = "{ user_session { id } }";
  const admin = askGraphql(own.url, { "x-admin-secret": secret });
  for (let time = 0; time < 2; time++) await admin(query);
  expect(await sharing()).toHaveLength(0);

  const { access_token } = tokensOf(await own.client.post("/auth/session/guest"));
  const guest = askGraphql(own.url, bearer(access_token));
  await guest(query);
  expect(await sharing(), "nobody knows how long a new document takes").toHaveLength(0);
  const related = `{ user_session(where: {_and: [${"{user: {id: {_is_null: true}}}, ".repeat(3)}]}) { id } }`;
  for (let time = 0; time < 2; time++) await guest(related);
  expect(await sharing(), "nor one with many conditions through relations").toHaveLength(0);
  await guest(query);
  expect(await sharing()).toHaveLength(1);
  await own.stop();
});

test("a user's mutations have a second in all, the admin's as long as any statement", async () => {
  const secret = "an admin secret of 32 characters or more";
  const own = await startService({ env: { ADMIN_SECRET: secret } });
  const { access_token, session_id } = await logIn(own, await signUp(own));
  // What a mutation selects is read under a policy, which here writes down the statement's time.
  await own.database.query(`create table public.noted (role text, ms integer);
    create function public.note() returns boolean language sql security definer as
      $$insert into public.noted select current_setting('role'), setting::integer from pg_settings where name = 'statement_timeout'
        returning true$$`);
  for (const [policy, rows] of [
    ["a user sees its own account", "id = nullif(current_setting('latchkey.user_id', true), '')::uuid"],
    ["the admin sees every account", "true"],
  ])
    await own.database.query(`alter policy "${policy}" on "user".account using (${rows} and public.note())`);
  const selection = "{ id user { id } }";
  const asUser = askGraphql(own.url, bearer(access_token));
  expect(
    (await asUser(`mutation { revoke_session(id: "${session_id}") ${selection} }`)).code,
  ).toBeUndefined();
  const asAdmin = askGraphql(own.url, { "x-admin-secret": secret });
  const change = `mutation { update_user_session_by_pk(pk_columns: { id: "${session_id}" }, _set: { revoked_at: "2999-01-01" }) ${selection} }`;
  expect((await asAdmin(change)).code).toBeUndefined();
  const noted = await own.database.query<{ role: string; ms: number }>(
    "select distinct on (role) * from public.noted order by role, ms desc",
  );
  const [admin, user] = noted;
  expect(admin).toMatchObject({ role: "latchkey_admin" });
  expect(admin!.ms).toBeGreaterThan(1_000);
  expect(user).toMatchObject({ role: "latchkey_user" });
  expect(user!.ms).toBeLessThanOrEqual(1_000);
  await own.stop();
});
