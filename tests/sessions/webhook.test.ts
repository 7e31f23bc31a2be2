import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, onTestFinished, vi } from "vitest";
import { bearer, tokensOf, type Tokens } from "../../testing/service/rest_client.ts";
import { createWebhookClient, test } from "../fixtures/webhook_fixtures.ts";

describe("by GET and by POST, as a Hasura engine calls it", () => {
  const expected = (user: Tokens) => ({
    "X-Hasura-Role": "user",
    "X-Hasura-User-Id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    "X-Hasura-Session-Id": user.session_id,
    Expires: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/) as string,
  });

  test("a user's access token becomes its variables, all of them strings", async ({ webhook: { get, post }, user }) => {
    const token = `Bearer ${user.access_token}`;
    for (const answer of [
      await get({ authorization: token }),
      await post({ headers: { Authorization: token }, request: { query: "{ x }", variables: null } }),
      await post({ headers: { AUTHORIZATION: token, cookie: "x" } }),
      await post({ headers: { authorization: token }, request: [{ query: "x".repeat(200_000) }] }),
      await post(`{"headers": {"x": [1, {"y": "}"}], "\\u0061uthorization" : "${token}"} , "request": "\\"{"}`),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("content-security-policy"), "engines need no headers for browsers").toBeNull();
      expect(answer.body).toEqual(expected(user));
    }
  });

  test("a guest has no user id", async ({ webhook: { get }, guest }) => {
    expect((await get(bearer(guest.access_token))).body).toEqual({
      "X-Hasura-Role": "guest",
      "X-Hasura-Session-Id": guest.session_id,
      Expires: expect.any(String) as string,
    });
  });

  test("a role that the client requests is ignored", async ({ webhook: { get }, user }) => {
    const answer = await get({ ...bearer(user.access_token), "x-hasura-role": "admin" });
    expect(answer.body["X-Hasura-Role"]).toBe("user");
  });
});

test("a client without a token cannot make the server parse 256 KiB of JSON", async ({ webhook: { post } }) => {
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

const webhookSecret = "between engine and webhook";

test("a secret, if one is set, must come with the call", async ({ startOtherService }) => {
  const { url, client } = await startOtherService({ env: { AUTH_WEBHOOK_SECRET: webhookSecret } });
  const { access_token } = tokensOf(await client.post("/auth/session/guest"));
  const { get } = createWebhookClient(url);
  const statusWith = async (headers: Record<string, string>) =>
    (await get({ ...bearer(access_token), ...headers })).status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ "x-webhook-secret": "a guess" })).toBe(401);
  expect(await statusWith({ "x-webhook-secret": webhookSecret })).toBe(200);
});

test("without the secret the server neither waits for the body nor reuses the connection", async ({
  startOtherService,
}) => {
  const { url } = await startOtherService({ env: { AUTH_WEBHOOK_SECRET: webhookSecret } });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(
    "POST /api/v1/auth/webhook/authorize HTTP/1.1\r\nHost: x\r\nX-Webhook-Secret: a guess\r\nContent-Length: 200000\r\n\r\n",
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  expect(answer.toString()).toContain("\r\nConnection: close\r\n");
});

test("an unavailable database is a 503, so that no client discards its token", async ({
  service,
  webhook: { get },
  user,
}) => {
  await service.proxy.cut();
  const answer = await get(bearer(user.access_token));
  await service.proxy.restore();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await get(bearer(user.access_token))).status).toBe(200);
});
