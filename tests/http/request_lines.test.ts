import { createClient } from "graphql-ws";
import { expect } from "vitest";
import { removeProvider } from "../../testing/service/stored_setting.ts";
import { bearer, tokensOf, type Tokens } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { adminOf, graphqlSocketUrl } from "../../testing/graphql/graphql_client.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { newPhone, signUp } from "../../testing/service/people.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

const { log, lines } = collectLog();
const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ log }))
  .extend("person", { scope: "file" }, ({ service }) => signUp(service))
  .extend("logIn", ({ client, person }) => async (id: string): Promise<Tokens> => {
    return tokensOf(await client.post("/auth/login", person, withId(id)));
  })
  .extend(
    "graphql",
    ({ service }) =>
      async (id: string, query: string, headers: Record<string, string> = {}): Promise<void> => {
        await fetch(service.url + graphqlPath, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers, ...withId(id) },
          body: JSON.stringify({ query }),
        }).then((response) => response.text());
      },
  );
type Line = Record<string, unknown>;

/** Waits for the log line of the request with this id. GraphQL's webhook request has the same id. */
async function lineOf(requestId: string, route?: string): Promise<Line> {
  const found = () =>
    lines.find(
      (line) => line.requestId === requestId && line.msg === "request" && (route === undefined || line.route === route),
    );
  await eventually("the request's line", () => found() !== undefined);
  return found()!;
}

const withId = (id: string) => ({ "x-request-id": id });
const info = 30;

test("a reset is followed from the server's log to the worker's by the id of its one-time password", async ({
  client,
  person: { phone },
  gateway,
}) => {
  await client.post("/auth/reset-password", { phone }, withId("reset"));
  await gateway.nextCode(phone);
  const { otpId } = await lineOf("reset", "/api/v1/auth/reset-password");
  expect(otpId).toEqual(expect.any(String));
  await eventually("the worker's line", () =>
    lines.some((line) => line.msg === "message sent" && line.otpId === otpId),
  );
});

test("a login's line has route, client, user and session", async ({ logIn, database }) => {
  const { session_id } = await logIn("login");
  const [session] = await database.query<{ user_id: string }>(`select user_id from "user".session where id = $1`, [
    session_id,
  ]);
  expect(await lineOf("login")).toMatchObject({
    level: info,
    route: "/api/v1/auth/login",
    client: "127.0.0.1",
    sessionId: session_id,
    userId: session?.user_id,
    status: 200,
  });
});

test("a refusal's line has its error code and level info, and names nobody", async ({ client, person: { phone } }) => {
  await client.post("/auth/login", { phone, password: "not the right one" }, withId("refused"));
  const line = await lineOf("refused");
  expect(line).toMatchObject({
    level: info,
    errorCode: "INVALID_REQUEST",
    reason: "login_refused",
    status: 401,
  });
  expect(line).not.toHaveProperty("userId");
  expect(line).not.toHaveProperty("sessionId");
});

test("a revoked session's line has its session and error code", async ({ logIn, client }) => {
  const { session_id, access_token } = await logIn("before");
  await client.post("/auth/logout", undefined, bearer(access_token));
  await client.post("/auth/logout", undefined, { ...bearer(access_token), ...withId("revoked") });
  expect(await lineOf("revoked")).toMatchObject({ sessionId: session_id, errorCode: "SESSION_REVOKED" });
});

test("a logout's line has the user", async ({ logIn, client, database }) => {
  const { session_id, access_token } = await logIn("before-logout");
  const [session] = await database.query<{ user_id: string }>(`select user_id from "user".session where id = $1`, [
    session_id,
  ]);
  await client.post("/auth/logout", undefined, { ...bearer(access_token), ...withId("logout") });
  expect(await lineOf("logout")).toMatchObject({ sessionId: session_id, userId: session?.user_id });
  const guest = tokensOf(await client.post("/auth/session/guest"));
  await client.post("/auth/logout", undefined, { ...bearer(guest.access_token), ...withId("guest-logout") });
  expect(await lineOf("guest-logout")).not.toHaveProperty("userId");
});

test("the line of a request over a limit names the limit", async ({ client }) => {
  const phone = newPhone();
  for (const id of ["send-1", "send-2", "send-3", "send-4"]) await client.sendOtp(phone, "SIGNUP", withId(id));
  expect(await lineOf("send-4")).toMatchObject({ status: 429, policy: "OTP_SEND_PER_IDENTIFIER" });
});

test("the line of a health check that answers 503 has its cause, and a fault of ours has a line of its own", async ({
  client,
  database,
}) => {
  // Opens the connection, for which its deadline of a second may be too short on a busy machine.
  await client.get("/health");
  await database.query("revoke execute on function api.check_health() from latchkey_server");
  await client.get("/health", withId("unhealthy"));
  await database.query("grant execute on function api.check_health() to latchkey_server");
  const message = "permission denied for function check_health";
  expect(await lineOf("unhealthy")).toMatchObject({ status: 503, cause: message });
  const fault = { requestId: "unhealthy", level: 50, msg: "the health check failed" };
  expect(lines).toContainEqual(
    expect.objectContaining({ ...fault, err: expect.objectContaining({ message }) as unknown }),
  );
});

test("a sent code's line has its id, and one that is not sent is an error with its id", async ({
  client,
  gateway,
  database,
}) => {
  const sent = await client.sendOtp(newPhone(), "SIGNUP", withId("sent"));
  expect(await lineOf("sent")).toMatchObject({ level: info, otpId: sent.body.data?.otpId });
  gateway.behave(400);
  const phone = newPhone();
  await client.sendOtp(phone, "SIGNUP", withId("not-sent"));
  gateway.behave(200);
  const [otp] = await database.query<{ id: string }>("select id from platform.otp_transaction where identifier = $1", [
    phone,
  ]);
  const error = { level: 50, status: 502, errorCode: "OTP_SEND_FAILED", otpId: otp?.id };
  expect(await lineOf("not-sent")).toMatchObject(error);
});

test("a request without a route has none in its line", async ({ client }) => {
  await client.get("/nowhere", withId("nowhere"));
  const line = await lineOf("nowhere");
  expect(line).toMatchObject({ level: info, errorCode: "INVALID_REQUEST", status: 404 });
  expect(line).not.toHaveProperty("route");
});

test("a refusal of the webhook has its route, session and error code", async ({ logIn, client }) => {
  const { session_id, access_token } = await logIn("once-more");
  await client.post("/auth/logout", undefined, bearer(access_token));
  await client.get("/auth/webhook/authorize", { ...bearer(access_token), ...withId("webhook") });
  expect(await lineOf("webhook")).toMatchObject({
    level: info,
    route: "/api/v1/auth/webhook/authorize",
    client: "127.0.0.1",
    sessionId: session_id,
    errorCode: "SESSION_NOT_FOUND",
    reason: "session_missing",
  });
});

const graphqlPath = "/v1/graphql";

test("a GraphQL request's line has operation, type, user and session", async ({ logIn, graphql }) => {
  const { session_id, access_token } = await logIn("for-graphql");
  await graphql("query", "query Mine { user_session { id } }", bearer(access_token));
  const line = await lineOf("query", graphqlPath);
  expect(line).toMatchObject({
    level: info,
    route: "/v1/graphql",
    client: "127.0.0.1",
    sessionId: session_id,
    userId: expect.any(String) as string,
    operation: "Mine",
    operationType: "query",
  });
  expect(line).not.toHaveProperty("errorCode");
});

test("a GraphQL request that is refused has its code, and its operation where there is one", async ({
  database,
  graphql,
}) => {
  const admin = adminOf(database);
  await graphql("wrong", `mutation ${"W".repeat(100)} { nothing_of_the_kind }`, admin);
  const wrong = { level: info, errorCode: "validation-failed", operationType: "mutation" };
  expect(await lineOf("wrong", graphqlPath)).toMatchObject({ ...wrong, operation: "W".repeat(64) });
  expect(await lineOf("wrong", graphqlPath)).not.toHaveProperty("sessionId");
  await graphql("anonymous", "{ user_session { id } }");
  expect(await lineOf("anonymous", graphqlPath)).toMatchObject({ errorCode: "access-denied", status: 401 });
});

test("the line of an admin's mutation names the admin", async ({ database, graphql, logIn }) => {
  const admin = adminOf(database);
  await graphql("admin", "mutation { __typename }", admin);
  expect(await lineOf("admin", graphqlPath)).toMatchObject({ actor: "admin", operationType: "mutation" });
  const { access_token } = await logIn("no-admin");
  await graphql("user", "{ user_session { id } }", bearer(access_token));
  expect(await lineOf("user", graphqlPath)).not.toHaveProperty("actor");
});

test("a mutation over a socket has a line of its own, which names the admin", async ({ service, database }) => {
  const socket = createClient({
    url: graphqlSocketUrl(service.url),
    connectionParams: { headers: adminOf(database) },
  });
  const query = "mutation OverSocket { __typename }";
  for await (const { data } of socket.iterate({ query })) expect(data).toHaveProperty("__typename");
  await eventually("the operation's line", () => lines.some(({ operation }) => operation === "OverSocket"));
  const line = lines.find(({ operation }) => operation === "OverSocket");
  expect(line).toMatchObject({ level: info, msg: "operation", actor: "admin", operationType: "mutation" });
  expect(line).toMatchObject({ client: "127.0.0.1", ms: expect.any(Number) as number });
  await socket.dispose();
});

test("a send that is dropped because no provider is set causes a warning that says so", async ({
  database,
  client,
}) => {
  await removeProvider(database);
  const { status } = await client.sendOtp(newPhone());
  expect(status).toBe(502);
  await eventually("the worker's warning", () =>
    lines.some(({ level, err }) => level === 40 && err === "no provider is set"),
  );
});
