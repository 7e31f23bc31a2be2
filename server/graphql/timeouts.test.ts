import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, tokensOf } from "../../testing/client.ts";
import { askGraphql, type Ask } from "../../testing/graphql.ts";
import { startService, type Service } from "../../testing/service.ts";

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

test("the admin, who may ask for all that there is, keeps nobody waiting on a connection that others share", async () => {
  const secret = "an admin secret of 32 characters or more";
  const own = await startService({ worker: false, env: { ADMIN_SECRET: secret } });
  const sharing = () =>
    own.database.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql shared'",
    );
  await askGraphql(own.url, { "x-admin-secret": secret })("{ user_session { id } }");
  expect(await sharing()).toHaveLength(0);
  const { access_token } = tokensOf(await own.client.post("/auth/session/guest"));
  await askGraphql(own.url, bearer(access_token))("{ user_session { id } }");
  expect(await sharing()).toHaveLength(1);
  await own.stop();
});
