import { describe, expect } from "vitest";
import { bearer } from "../../../testing/service/rest_client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { logIn } from "../../../testing/service/people.ts";
import { follow, sessionsQuery, test } from "../fixtures/live_fixtures.ts";

describe("user_session is a live query of the user's sessions", () => {
  test("it sends the sessions at once and after each change, and no other user's sessions", async ({
    service,
    database,
    client,
    alice,
    bob,
    connectAs,
  }) => {
    const tokens = await logIn(service, alice);
    const { socket } = connectAs(tokens);
    const results = follow(socket, sessionsQuery);
    await eventually("the sessions are sent", () => results.length === 1);
    expect(results[0]?.user_session?.[0]).toEqual({ id: tokens.session_id, revoked_at: null });

    await logIn(service, bob);
    const second = await logIn(service, alice);
    await eventually("another login is sent", () => results.at(-1)?.user_session?.[0]?.id === second.session_id);
    await client.post("/auth/logout", undefined, bearer(second.access_token));
    await eventually("its revocation is sent", () => results.at(-1)?.user_session?.[0]?.revoked_at !== null);
    const ids = new Set(results.flatMap(({ user_session = [] }) => user_session.map(({ id }) => id)));
    const own = await database.query<{ id: string }>(
      `select s.id from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1`,
      [alice.phone],
    );
    expect([...ids].every((id) => own.some((row) => row.id === id))).toBe(true);
  });

  test("user_session_by_pk is a live query of one session", async ({ service, client, alice, connectAs }) => {
    const [watched, other] = [await logIn(service, alice), await logIn(service, alice)];
    const { socket } = connectAs(other);
    const results = follow(
      socket,
      `subscription { user_session_by_pk(id: "${watched.session_id}") { id revoked_at } }`,
    );
    await eventually("it is sent", () => results.length === 1);
    await client.post("/auth/logout", undefined, bearer(watched.access_token));
    await eventually("its revocation is sent", () => results.length === 2);
  });

  test("a document may have other operations, and a fragment of the subscription's root", async ({
    service,
    alice,
    connectAs,
  }) => {
    const tokens = await logIn(service, alice);
    const query = `subscription Own { ...root }
      fragment root on subscription_root { user_session(limit: 1, order_by: [{created_at: desc}]) { id } }
      mutation Others { revoke_other_sessions { id } }`;
    const results = connectAs(tokens).socket.iterate({ query, operationName: "Own" });
    expect(await results.next()).toMatchObject({
      value: { data: { user_session: [{ id: tokens.session_id }] } },
    });
  });
});

test("queries have the same results and errors on a socket as over HTTP", async ({ service, alice, connectAs }) => {
  const { socket } = connectAs(await logIn(service, alice));
  const ask = (query: string) =>
    new Promise((resolve) => {
      let last: unknown;
      socket.subscribe({ query }, { next: (value) => (last = value), error: resolve, complete: () => resolve(last) });
    });
  expect(await ask("{ user_account { phone } }")).toEqual({
    data: { user_account: [{ phone: alice.phone }] },
  });
  expect(await ask("{ user_account { password_hash } }")).toMatchObject([
    { extensions: { code: "validation-failed" } },
  ]);
  expect(await ask("subscription { a: user_session { id } b: user_session { id } }")).toMatchObject([
    { message: expect.any(String) as string },
  ]);
});
