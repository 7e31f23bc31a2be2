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
