import { describe, expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { follow, sessionsQuery } from "./fixtures/live_fixtures.ts";
import { accounts, idsOf, test, variables, type Headers } from "./fixtures/session_variable_fixtures.ts";

describe("a token with session variables", () => {
  test("its own role and ids are accepted", async ({ askWith, callers }) => {
    const { user, guest } = callers;
    for (const own of [
      variables("user"),
      variables("user", user.userId, user.sessionId),
      variables(undefined, user.userId.toUpperCase()),
    ]) {
      const answer = await askWith({ ...bearer(user.tokens.access_token), ...own })(accounts);
      expect(idsOf(answer, "user_account")).toEqual([user.userId]);
    }
    const own = variables("guest", undefined, guest.sessionId);
    const answer = await askWith({ ...bearer(guest.tokens.access_token), ...own })("{ user_session { id } }");
    expect(idsOf(answer, "user_session")).toEqual([guest.sessionId]);
  });

  test.for<[string, (other: { userId: string; sessionId: string }) => Headers]>([
    ["a foreign role", () => variables("editor")],
    ["role admin", () => variables("admin")],
    ["role guest", () => variables("guest")],
    ["an empty role", () => variables("")],
    ["another user's id", ({ userId }) => variables("user", userId)],
    ["another user's id without a role", ({ userId }) => variables(undefined, userId)],
    ["another session's id", ({ sessionId }) => variables(undefined, undefined, sessionId)],
    ["a malformed id", () => variables("user", "1")],
    ["a variable that means nothing here", () => ({ "X-Hasura-Org-Id": "1" })],
  ])("%s is 400", async ([, headersOf], { askWith, callers }) => {
    const headers = { ...bearer(callers.user.tokens.access_token), ...headersOf(callers.other) };
    expect(await askWith(headers)(accounts)).toMatchObject({ status: 400, code: "access-denied" });
  });

  test("a guest with a user's id is 400", async ({ askWith, callers }) => {
    const headers = {
      ...bearer(callers.guest.tokens.access_token),
      ...variables("guest", callers.user.userId),
    };
    expect(await askWith(headers)(accounts)).toMatchObject({ status: 400, code: "access-denied" });
  });

  test("a bad token is 401 whatever the variables are", async ({ askWith }) => {
    for (const headers of [{}, bearer("x")])
      expect((await askWith({ ...headers, ...variables("editor") })(accounts)).status).toBe(401);
  });

  test("over a socket its own role is accepted, a foreign one is 4403", async ({ connect, callers }) => {
    const credentials = bearer(callers.user.tokens.access_token);
    expect((await connect({ ...credentials, "X-Hasura-Role": "admin" }).closed).code).toBe(4403);
    const results = follow(connect({ ...credentials, "X-Hasura-Role": "user" }).socket, sessionsQuery);
    await eventually("its sessions", () => results.length > 0);
  });
});

test("the webhook never names the admin, whatever the caller's headers ask for", async ({
  client,
  secret,
  callers,
}) => {
  const headers = { ...bearer(callers.user.tokens.access_token), ...variables("admin"), ...secret };
  for (const answer of [
    await client.get("/auth/webhook/authorize", headers),
    await client.post("/auth/webhook/authorize", { headers }),
  ])
    expect(answer.body).toMatchObject({ "X-Hasura-Role": "user" });
  expect((await client.get("/auth/webhook/authorize", { ...secret, ...variables("admin") })).status).toBe(401);
});
