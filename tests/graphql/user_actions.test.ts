import { expect } from "vitest";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";
import { logIn, signUp, type Person } from "../../testing/service/people.ts";

// signUp needs a worker.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({}));

const idsOf = (rows: unknown): string[] => (rows as { id: string }[]).map(({ id }) => id);

test("revoke_other_sessions returns the sessions that it revoked, whose tokens are refused", async ({
  service,
  askAs,
}) => {
  const person = await signUp(service);
  const [first, second] = [await logIn(service, person), await logIn(service, person)];
  const ask = askAs(first);
  const { data } = await ask("mutation { revoke_other_sessions { id revoked_at user { phone } } }");
  const revoked = data?.revoke_other_sessions as { revoked_at: string | null; user: Person }[];
  expect(idsOf(revoked)).toContain(second.session_id);
  expect(idsOf(revoked)).not.toContain(first.session_id);
  expect(revoked[0]).toMatchObject({
    revoked_at: expect.any(String) as unknown,
    user: { phone: person.phone },
  });
  expect((await askAs(second)("{ __typename }")).status).toBe(401);
  expect((await ask("{ __typename }")).data).toEqual({ __typename: "query_root" });
});

test("a mutation that writes more rows than the response has room for is rolled back", async ({
  service,
  database,
  askAs,
}) => {
  const person = await signUp(service);
  const session = await logIn(service, person);
  await service.set("SESSIONS_PER_USER", "off");
  await database.query(
    `insert into "user".session (user_id) select s.user_id from "user".session s, generate_series(1, 110) where s.id = $1`,
    [session.session_id],
  );
  const ask = askAs(session);
  const refused = await ask("mutation { revoke_other_sessions { id user { sessions(limit: 90) { id } } } }");
  expect(refused).toMatchObject({ code: "limit-exceeded", data: null });
  expect(refused.message).toMatch(/would write 111 rows, and the response has room for 109/);
  const { data } = await ask("mutation { revoke_other_sessions { id } }");
  expect(data?.revoke_other_sessions).toHaveLength(111);
});

test("revoke_session revokes a session of the user, and is null for another user's", async ({ service, askAs }) => {
  const person = await signUp(service);
  const [first, second] = [await logIn(service, person), await logIn(service, person)];
  const other = await logIn(service, await signUp(service));
  const ask = askAs(first);
  const revoke = (id: string) => ask("mutation ($id: uuid!) { revoke_session(id: $id) { id revoked_at } }", { id });
  expect((await revoke(other.session_id)).data).toEqual({ revoke_session: null });
  expect((await revoke(second.session_id)).data).toMatchObject({
    revoke_session: { id: second.session_id, revoked_at: expect.any(String) as unknown },
  });
  expect((await revoke(second.session_id)).data).toEqual({ revoke_session: null });
  expect((await askAs(other)("{ __typename }")).status).toBe(200);
});

test("a guest may not revoke", async ({ guest }) => {
  expect((await guest("mutation { revoke_other_sessions { id } }")).code).toBe("permission-error");
});
