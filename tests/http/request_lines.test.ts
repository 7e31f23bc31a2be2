import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { newPhone } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { removeProvider } from "../../testing/service/stored_setting.ts";
import { info, test, withId } from "../fixtures/request_line_fixtures.ts";

test("a reset is followed from the server's log to the worker's by the id of its one-time password", async ({
  client,
  person: { phone },
  gateway,
  lineOf,
  lines,
}) => {
  await client.post("/auth/reset-password", { phone }, withId("reset"));
  await gateway.nextCode(phone);
  const { otpId } = await lineOf("reset", "/api/v1/auth/reset-password");
  expect(otpId).toEqual(expect.any(String));
  await eventually("the worker's line", () =>
    lines.some((line) => line.msg === "message sent" && line.otpId === otpId),
  );
});

test("a login's line has route, client, user and session", async ({ logIn, database, lineOf }) => {
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

test("a refusal's line has its error code and level info, and names nobody", async ({
  client,
  person: { phone },
  lineOf,
}) => {
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

test("a revoked session's line has its session and error code", async ({ logIn, client, lineOf }) => {
  const { session_id, access_token } = await logIn("before");
  await client.post("/auth/logout", undefined, bearer(access_token));
  await client.post("/auth/logout", undefined, { ...bearer(access_token), ...withId("revoked") });
  expect(await lineOf("revoked")).toMatchObject({ sessionId: session_id, errorCode: "SESSION_REVOKED" });
});

test("a logout's line has the user", async ({ logIn, client, database, lineOf }) => {
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

test("the line of a request over a limit names the limit", async ({ client, lineOf }) => {
  const phone = newPhone();
  for (const id of ["send-1", "send-2", "send-3", "send-4"]) await client.sendOtp(phone, "SIGNUP", withId(id));
  expect(await lineOf("send-4")).toMatchObject({ status: 429, policy: "OTP_SEND_PER_IDENTIFIER" });
});

test("the line of a health check that answers 503 has its cause, and a fault of ours has a line of its own", async ({
  client,
  database,
  lineOf,
  lines,
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
  lineOf,
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

test("a request without a route has none in its line", async ({ client, lineOf }) => {
  await client.get("/nowhere", withId("nowhere"));
  const line = await lineOf("nowhere");
  expect(line).toMatchObject({ level: info, errorCode: "INVALID_REQUEST", status: 404 });
  expect(line).not.toHaveProperty("route");
});

test("a refusal of the webhook has its route, session and error code", async ({ logIn, client, lineOf }) => {
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

test("a send that is dropped because no provider is set causes a warning that says so", async ({
  database,
  client,
  lines,
}) => {
  await removeProvider(database);
  const { status } = await client.sendOtp(newPhone());
  expect(status).toBe(502);
  await eventually("the worker's warning", () =>
    lines.some(({ level, err }) => level === 40 && err === "no provider is set"),
  );
});
