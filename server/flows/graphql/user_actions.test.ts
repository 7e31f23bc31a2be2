import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { askGraphql } from "../../../testing/graphql_client.ts";
import { logIn, signUp, type Person } from "../../../testing/people.ts";
import { startService, type Service } from "../../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const idsOf = (rows: unknown): string[] => (rows as { id: string }[]).map(({ id }) => id);

test("revoke_other_sessions returns the sessions that it revoked, whose tokens are refused", async () => {
  const person = await signUp(service);
  const [first, second] = [await logIn(service, person), await logIn(service, person)];
  const ask = askGraphql(service.url, bearer(first.access_token));
  const { data } = await ask("mutation { revoke_other_sessions { id revoked_at user { phone } } }");
  const revoked = data?.revoke_other_sessions as { revoked_at: string | null; user: Person }[];
  expect(idsOf(revoked)).toContain(second.session_id);
  expect(idsOf(revoked)).not.toContain(first.session_id);
  expect(revoked[0]).toMatchObject({
    revoked_at: expect.any(String) as unknown,
    user: { phone: person.phone },
  });
  expect((await askGraphql(service.url, bearer(second.access_token))("{ __typename }")).status).toBe(401);
  expect((await ask("{ __typename }")).data).toEqual({ __typename: "query_root" });
});

test("a mutation that writes more rows than the response has room for is rolled back", async () => {
  const person = await signUp(service);
  const session = await logIn(service, person);
  await service.database.query(
    `insert into "user".session (user_id) select s.user_id from "user".session s, generate_series(1, 150) where s.id = $1`,
    [session.session_id],
  );
  const ask = askGraphql(service.url, bearer(session.access_token));
  const refused = await ask("mutation { revoke_other_sessions { id user { sessions(limit: 90) { id } } } }");
  expect(refused).toMatchObject({ code: "limit-exceeded", data: null });
  expect(refused.message).toMatch(/would write 151 rows, and the response has room for 109/);
  const { data } = await ask("mutation { revoke_other_sessions { id } }");
  expect(data?.revoke_other_sessions).toHaveLength(151);
});

test("revoke_session revokes a session of the user, and is null for another user's", async () => {
  const person = await signUp(service);
  const [first, second] = [await logIn(service, person), await logIn(service, person)];
  const other = await logIn(service, await signUp(service));
  const ask = askGraphql(service.url, bearer(first.access_token));
  const revoke = (id: string) =>
    ask("mutation ($id: uuid!) { revoke_session(id: $id) { id revoked_at } }", { id });
  expect((await revoke(other.session_id)).data).toEqual({ revoke_session: null });
  expect((await revoke(second.session_id)).data).toMatchObject({
    revoke_session: { id: second.session_id, revoked_at: expect.any(String) as unknown },
  });
  expect((await revoke(second.session_id)).data).toEqual({ revoke_session: null });
  expect((await askGraphql(service.url, bearer(other.access_token))("{ __typename }")).status).toBe(200);
});

test("a guest may not revoke", async () => {
  const { access_token } = tokensOf(await service.client.post("/auth/session/guest"));
  const ask = askGraphql(service.url, bearer(access_token));
  expect((await ask("mutation { revoke_other_sessions { id } }")).code).toBe("permission-error");
});
