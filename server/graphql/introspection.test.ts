import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, tokensOf } from "../../testing/client.ts";
import { askGraphql, type Ask } from "../../testing/graphql.ts";
import { startService, type Service } from "../../testing/service.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";

let service: Service;
let token: string;
let ask: Ask;
let admin: Ask;
beforeAll(async () => {
  service = await startService({ worker: false, env: { ADMIN_SECRET } });
  token = tokensOf(await service.client.post("/auth/session/guest")).access_token;
  ask = askGraphql(service.url, bearer(token));
  admin = askGraphql(service.url, { "x-admin-secret": ADMIN_SECRET });
});
afterAll(() => service.stop());

const introspection = "{ __schema { queryType { name } types { name fields { name } } } }";

test("introspection is the admin's", async () => {
  expect((await admin(introspection)).code).toBeUndefined();
  expect((await ask(introspection)).code).toBe("validation-failed");
  expect((await ask('{ __type(name: "user_session") { name } }')).code).toBe("validation-failed");
  expect((await ask("{ __typename }")).code).toBeUndefined();
});

test("introspection is everybody's with GRAPHQL_INTROSPECTION=on, of what each may see", async () => {
  const open = await service.startAnotherServer({ GRAPHQL_INTROSPECTION: "on" });
  const answered = await askGraphql(open.url, bearer(token))(introspection);
  await open.stop();
  expect(answered.code).toBeUndefined();
  const text = JSON.stringify(answered.body);
  expect(text).toContain("user_session");
  expect(text).not.toMatch(/settings_|rate_limit|hash|token_id/);
});
