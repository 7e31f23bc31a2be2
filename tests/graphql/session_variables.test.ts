import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { graphqlConfig } from "../../config/config.ts";
import { eventually } from "../../testing/eventually.ts";
import { askGraphql, postGraphql, type GraphqlAnswer } from "../../testing/graphql/graphql_client.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { logIn, newPhone } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { follow, sessionsQuery, test as baseTest } from "./fixtures/live_fixtures.ts";

type Headers = Record<string, string>;

const { log, lines } = collectLog();

interface Ids {
  userId: string;
  sessionId: string;
  otherUserId: string;
  otherSessionId: string;
  guestSessionId: string;
  revokedSessionId: string;
}

/** A signed-in person, another one, and a guest. */
const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ log }))
  .extend("secret", { scope: "file" }, ({ database }): Headers => ({
    "x-admin-secret": graphqlConfig(database.env).ADMIN_SECRET,
  }))
  .extend("callers", { scope: "file" }, async ({ service, database, alice, bob, guestTokens }) => {
    const ids = async (sessionId: string) => {
      const rows = await database.query<{ user_id: string }>(`select s.user_id from "user".session s where s.id = $1`, [
        sessionId,
      ]);
      return { sessionId, userId: rows[0]?.user_id ?? "" };
    };
    const [tokens, otherTokens] = [await logIn(service, alice), await logIn(service, bob)];
    return {
      user: { tokens, ...(await ids(tokens.session_id)) },
      other: await ids(otherTokens.session_id),
      guest: { tokens: guestTokens, sessionId: guestTokens.session_id },
    };
  })
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
  })
  .extend(
    "askWith",
    ({ service }) =>
      (headers: Headers) =>
        askGraphql(service.url, headers),
  );

/** The names of headers are as clients of Hasura write them. */
const variables = (role?: string, userId?: string, sessionId?: string): Headers => ({
  ...(role !== undefined && { "X-Hasura-Role": role }),
  ...(userId !== undefined && { "X-Hasura-User-Id": userId }),
  ...(sessionId !== undefined && { "X-Hasura-Session-Id": sessionId }),
});

const accounts = "{ user_account { id } }";
const idsOf = ({ data }: GraphqlAnswer, field: string): string[] =>
  (data?.[field] as { id: string }[]).map(({ id }) => id).sort();

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

  test("a token's own role is accepted, a foreign one is 4403", async ({ connect, callers }) => {
    const credentials = bearer(callers.user.tokens.access_token);
    expect((await connect({ ...credentials, "X-Hasura-Role": "admin" }).closed).code).toBe(4403);
    const results = follow(connect({ ...credentials, "X-Hasura-Role": "user" }).socket, sessionsQuery);
    await eventually("its sessions", () => results.length > 0);
  });
});

test("without the database nobody is acted as: 503", async ({ service, askWith, secret, callers }) => {
  const { userId, sessionId } = callers.user;
  await service.proxy.cut();
  const answer = await askWith({ ...secret, ...variables("user", userId, sessionId) })(accounts);
  await service.proxy.restore();
  expect(answer).toMatchObject({ status: 503, code: "unexpected" });
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
