import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bearer, tokensOf, type Tokens } from "../../testing/client.ts";
import { logIn, signUp } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
let user: Tokens;
let guest: Tokens;
beforeAll(async () => {
  service = await startService();
  user = await logIn(service, await signUp(service));
  guest = tokensOf(await service.client.post("/auth/session/guest"));
});
afterAll(() => service.stop());

const call = async (init: RequestInit, base = service.url) => {
  const response = await fetch(`${base}/api/v1/auth/webhook/authorize`, init);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
};
const get = (headers: Record<string, string>) => call({ headers });
const post = (body: unknown, headers: Record<string, string> = {}) =>
  call({
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("by GET and by POST, as a Hasura engine calls it", () => {
  const expected = () => ({
    "X-Hasura-Role": "user",
    "X-Hasura-User-Id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    "X-Hasura-Session-Id": user.session_id,
    Expires: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/) as string,
  });

  test("a user's access token becomes its variables, all of them strings", async () => {
    const token = `Bearer ${user.access_token}`;
    for (const answer of [
      await get({ authorization: token }),
      await post({ headers: { Authorization: token }, request: { query: "{ x }", variables: null } }),
      await post({ headers: { AUTHORIZATION: token, cookie: "x" } }),
      await post({ headers: { authorization: token }, request: [{ query: "x".repeat(200_000) }] }),
      await post(
        `{"headers": {"x": [1, {"y": "}"}], "\\u0061uthorization" : "${token}"} , "request": "\\"{"}`,
      ),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.body).toEqual(expected());
    }
  });

  test("a guest has no user id", async () => {
    expect((await get(bearer(guest.access_token))).body).toEqual({
      "X-Hasura-Role": "guest",
      "X-Hasura-Session-Id": guest.session_id,
      Expires: expect.any(String) as string,
    });
  });

  test("a role that the client asks for is not taken over", async () => {
    const answer = await get({ ...bearer(user.access_token), "x-hasura-role": "admin" });
    expect(answer.body["X-Hasura-Role"]).toBe("user");
  });
});

describe("whatever is refused is a 401 without the envelope", () => {
  const token = () => `Bearer ${user.access_token}`;
  test.each([
    ["no token", () => get({})],
    ["a token that is none", () => get({ authorization: "Bearer x" })],
    ["another scheme", () => get({ authorization: "Basic eDp5" })],
    ["a refresh token", () => get(bearer(user.refresh_token))],
    ["no body", () => call({ method: "POST" })],
    ["malformed JSON", () => post("{")],
    ["a body without headers", () => post({ request: null })],
    ["headers of the wrong type", () => post({ headers: [token()] })],
    ["a token of the wrong type", () => post({ headers: { authorization: [token()] } })],
    [
      "two tokens of one name",
      () => post(`{"headers":{"a":"${token()}","a":"${token()}"}}`.replaceAll('"a"', '"authorization"')),
    ],
    ["two headers", () => post(`{"headers":{"authorization":"${token()}"},"headers":{}}`)],
    ["a token beside headers", () => post({ authorization: token(), headers: {} })],
    ["a token below another header", () => post({ headers: { x: { authorization: token() } } })],
    ["an inherited token", () => post(`{"headers":{"__proto__":{"authorization":"${token()}"}}}`)],
    ["a name with a broken escape", () => post(`{"headers":{"\\x":1,"authorization":"${token()}"}}`)],
    ["a value with a broken escape", () => post(`{"headers":{"authorization":"\\x${token()}"}}`)],
    ["null for headers", () => post({ headers: null })],
    ["an array", () => post([{ headers: { authorization: token() } }])],
    ["two tokens", () => post({ headers: { authorization: token(), Authorization: token() } })],
    ["a token in the HTTP header of a POST", () => post({ headers: {} }, { authorization: token() })],
    ["a body of 300 KiB", () => post({ headers: { authorization: token() }, request: "x".repeat(300_000) })],
  ])("%s", async (_what, ask) => {
    const { status, headers, body } = await ask();
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(Object.keys(body)).toEqual(["message"]);
  });

  test("a session revoked a moment ago", async () => {
    const gone = tokensOf(await service.client.post("/auth/session/guest"));
    await service.client.post("/auth/logout", undefined, bearer(gone.access_token));
    expect((await get(bearer(gone.access_token))).status).toBe(401);
  });
});

test("whoever has no token cannot make the server parse 256 KiB of JSON", async () => {
  const headers = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, 1]));
  const deep = "[".repeat(120_000) + "]".repeat(120_000);
  const parse = vi.spyOn(JSON, "parse");
  try {
    for (const body of [JSON.stringify({ headers }), `{"headers":${deep}}`, `{"request":${deep}}`]) {
      expect((await post(body)).status).toBe(401);
    }
    for (const [text] of parse.mock.calls) expect(text.length).toBeLessThan(1_000);
  } finally {
    parse.mockRestore();
  }
});

test("a secret, if one is set, must come with the call", async () => {
  const closed = await startService({ env: { AUTH_WEBHOOK_SECRET: "between engine and webhook" } });
  try {
    const { access_token } = tokensOf(await closed.client.post("/auth/session/guest"));
    const ask = (headers: Record<string, string>) =>
      call({ headers: { ...bearer(access_token), ...headers } }, closed.url);
    expect((await ask({})).status).toBe(401);
    expect((await ask({ "x-webhook-secret": "a guess" })).status).toBe(401);
    expect((await ask({ "x-webhook-secret": "between engine and webhook" })).status).toBe(200);
  } finally {
    await closed.stop();
  }
});

test("without the secret no byte of the body is waited for, nor the connection used again", async () => {
  const closed = await startService({ env: { AUTH_WEBHOOK_SECRET: "between engine and webhook" } });
  const socket = connect(Number(new URL(closed.url).port), "127.0.0.1");
  try {
    socket.write(
      "POST /api/v1/auth/webhook/authorize HTTP/1.1\r\nHost: x\r\nX-Webhook-Secret: a guess\r\nContent-Length: 200000\r\n\r\n",
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(answer.toString()).toContain("\r\nConnection: close\r\n");
  } finally {
    socket.destroy();
    await closed.stop();
  }
});

test("a database that is away is a 503, so that no client throws its token away", async () => {
  await service.proxy.cut();
  const answer = await get(bearer(user.access_token));
  await service.proxy.restore();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await get(bearer(user.access_token))).status).toBe(200);
});
