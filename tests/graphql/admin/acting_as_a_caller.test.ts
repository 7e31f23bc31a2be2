import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { postGraphql } from "../../../testing/graphql/graphql_client.ts";
import { collectLog } from "../../../testing/log_lines.ts";
import { logIn, newPhone } from "../../../testing/service/people.ts";
import { bearer } from "../../../testing/service/rest_client.ts";
import { follow, sessionsQuery } from "../fixtures/live_fixtures.ts";
import { accounts, idsOf, test as baseTest, variables, type Headers } from "../fixtures/session_variable_fixtures.ts";

const { log, lines } = collectLog();

interface Ids {
  userId: string;
  sessionId: string;
  otherUserId: string;
  otherSessionId: string;
  guestSessionId: string;
  revokedSessionId: string;
}

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ log }))
  .extend("ids", { scope: "file" }, async ({ service, client, alice, callers }): Promise<Ids> => {
    const revoked = await logIn(service, alice);
    await client.post("/auth/logout", undefined, bearer(revoked.access_token));
    const { user, other, guest } = callers;
    return {
      userId: user.userId,
      sessionId: user.sessionId,
      guestSessionId: guest.sessionId,
      otherUserId: other.userId,
      otherSessionId: other.sessionId,
      revokedSessionId: revoked.session_id,
    };
  });

describe("the admin secret with a role and its ids", () => {
  test("runs as that user: its rows, its schema and its permissions", async ({ askWith, secret, callers }) => {
    const { user } = callers;
    const ask = askWith({ ...secret, ...variables("user", user.userId.toUpperCase(), user.sessionId) });
    expect(idsOf(await ask(accounts), "user_account")).toEqual([user.userId]);
    expect(idsOf(await ask("{ user_session { id } }"), "user_session")).toContain(user.sessionId);
    for (const ofAdmin of [
      "{ settings_configuration { key } }",
      "mutation { delete_user_account(where: {}) { affected_rows } }",
      "{ __schema { queryType { name } } }",
    ])
      expect(await ask(ofAdmin)).toMatchObject({ code: "validation-failed", data: undefined });
  });

  test("runs as that guest, which sees its own session only", async ({ askWith, secret, callers }) => {
    const { sessionId } = callers.guest;
    const ask = askWith({ ...secret, ...variables("guest", undefined, sessionId) });
    expect(idsOf(await ask("{ user_session { id } }"), "user_session")).toEqual([sessionId]);
    expect(idsOf(await ask(accounts), "user_account")).toEqual([]);
  });

  test("runs as the admin for role admin, and where no role is named", async ({ askWith, secret }) => {
    for (const headers of [secret, { ...secret, ...variables("admin") }])
      expect(idsOf(await askWith(headers)(accounts), "user_account").length).toBeGreaterThanOrEqual(2);
  });

  test("its line names the admin, and as whom it acts", async ({ service, secret, callers }) => {
    const { userId, sessionId } = callers.user;
    const headers = { ...secret, ...variables("user", userId, sessionId), "x-request-id": "acting" };
    await postGraphql(service.url, JSON.stringify({ query: accounts }), headers);
    const find = () => lines.find(({ requestId, msg }) => requestId === "acting" && msg === "request");
    await eventually("the request's line", () => find() !== undefined);
    expect(find()).toMatchObject({ actor: "admin", actsAs: "user", userId, sessionId });
  });
});

/** What the admin secret does not turn into a caller: nothing of it may run as the admin. */
const refused: [name: string, (ids: Ids) => Headers][] = [
  ["an unknown role", () => variables("editor")],
  ["an unknown role with ids", ({ userId, sessionId }) => variables("editor", userId, sessionId)],
  ["an empty role", () => variables("")],
  ["a role in upper case", ({ userId, sessionId }) => variables("USER", userId, sessionId)],
  ["two roles", ({ userId, sessionId }) => variables("user, admin", userId, sessionId)],
  ["a user without ids", () => variables("user")],
  ["a user without the session's id", ({ userId }) => variables("user", userId)],
  ["a user without its own id", ({ sessionId }) => variables("user", undefined, sessionId)],
  ["a guest without the session's id", () => variables("guest")],
  ["an empty user id", ({ sessionId }) => variables("user", "", sessionId)],
  ["a malformed user id", ({ sessionId }) => variables("user", "1 or true", sessionId)],
  ["a malformed session id", ({ userId }) => variables("user", userId, "'; --")],
  ["an unknown session", ({ userId }) => variables("user", userId, randomUUID())],
  ["an unknown user", ({ sessionId }) => variables("user", randomUUID(), sessionId)],
  ["another user's session", ({ userId, otherSessionId }) => variables("user", userId, otherSessionId)],
  ["another user's id", ({ otherUserId, sessionId }) => variables("user", otherUserId, sessionId)],
  ["a revoked session", ({ userId, revokedSessionId }) => variables("user", userId, revokedSessionId)],
  ["a guest's session as a user's", ({ userId, guestSessionId }) => variables("user", userId, guestSessionId)],
  ["a user's session as a guest's", ({ sessionId }) => variables("guest", undefined, sessionId)],
  ["a guest with a user id", ({ userId, guestSessionId }) => variables("guest", userId, guestSessionId)],
  ["a user id without a role", ({ userId }) => variables(undefined, userId)],
  ["a session id without a role", ({ sessionId }) => variables(undefined, undefined, sessionId)],
  ["both ids without a role", ({ userId, sessionId }) => variables(undefined, userId, sessionId)],
  ["an id of the admin", ({ userId, sessionId }) => variables("admin", userId, sessionId)],
  ["a variable that means nothing here", () => ({ "X-Hasura-Org-Id": "1" })],
  [
    "a variable that means nothing here, beside good ones",
    ({ userId, sessionId }) => ({ ...variables("user", userId, sessionId), "X-Hasura-Org-Id": "1" }),
  ],
  ["permissions of back ends", () => ({ "X-Hasura-Use-Backend-Only-Permissions": "true" })],
];

describe("the admin secret with session variables that make no caller", () => {
  test.for(refused)("%s is 400, and nothing runs", async ([, headersOf], { askWith, secret, ids }) => {
    const phone = newPhone();
    const answer = await askWith({ ...secret, ...headersOf(ids) })(
      `mutation { create_account(phone: "${phone}") { id } }`,
    );
    expect(answer).toMatchObject({ status: 400, code: "access-denied" });
    expect(answer.body).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^.{20,123}$/) as string,
          extensions: { path: "$", code: "access-denied" },
        },
      ],
    });
    const found = await askWith(secret)(`{ user_account(where: {phone: {_eq: "${phone}"}}) { id } }`);
    expect(found.data).toEqual({ user_account: [] });
  });

  test.for(refused)("over a socket %s is 4403", async ([, headersOf], { connect, secret, ids }) => {
    const { closed } = connect({ headers: { ...secret, ...headersOf(ids) } });
    expect((await closed).code).toBe(4403);
  });
});

describe("over a socket", () => {
  test("the admin acts as a user, and the socket ends with the session", async ({
    service,
    client,
    alice,
    connect,
    secret,
    callers,
  }) => {
    const tokens = await logIn(service, alice);
    const headers = { ...secret, ...variables("user", callers.user.userId, tokens.session_id) };
    const { socket, closed } = connect({ headers });
    const results = follow(socket, sessionsQuery);
    await eventually("the user's sessions", () => results.length > 0);
    const ids = results[0]?.user_session?.map(({ id }) => id);
    expect(ids).toContain(tokens.session_id);
    expect(ids).not.toContain(callers.other.sessionId);
    expect(ids).not.toContain(callers.guest.sessionId);
    await client.post("/auth/logout", undefined, bearer(tokens.access_token));
    expect((await closed).code).toBe(4401);
  });

  test.for<[string, object]>([
    ["a number", { "x-hasura-role": 1 }],
    ["null", { "X-Hasura-User-Id": null }],
    ["an object beside the headers", { "x-hasura-session-id": {} }],
    ["two different roles", { "X-Hasura-Role": "admin", "x-hasura-role": "user" }],
  ])("a variable that is %s refuses the admin secret with 4403", async ([, payload], { connect, secret }) => {
    expect((await connect({ headers: secret, ...payload }).closed).code).toBe(4403);
  });

  test("the variables of the upgrade request count, too", async ({ socketUrl, secret }) => {
    const { WebSocket } = await import("ws");
    const socket = new WebSocket(socketUrl, "graphql-transport-ws", {
      headers: { "x-hasura-role": "user" },
    });
    const closed = new Promise<[number, string]>((resolve) =>
      socket.on("close", (code, reason) => resolve([code, reason.toString()])),
    );
    socket.on("open", () => socket.send(JSON.stringify({ type: "connection_init", payload: secret })));
    expect(await closed).toEqual([4403, expect.stringContaining("X-Hasura-Session-Id")]);
  });
});

test("without the database nobody is acted as: 503", async ({ service, askWith, secret, callers }) => {
  const { userId, sessionId } = callers.user;
  await service.proxy.cut();
  const answer = await askWith({ ...secret, ...variables("user", userId, sessionId) })(accounts);
  await service.proxy.restore();
  expect(answer).toMatchObject({ status: 503, code: "unexpected" });
});
