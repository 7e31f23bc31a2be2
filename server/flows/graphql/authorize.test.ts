import type { RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { askGraphql, postGraphql } from "../../../testing/graphql_client.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { respondWith, startWebhook, type Webhook } from "../../../testing/fake_webhook.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";
const AUTH_WEBHOOK_SECRET = "the webhook's own secret";
const query = "{ user_session { id } }";
const session = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const guest = { "X-Hasura-Role": "guest", "X-Hasura-Session-Id": session };

let service: Service;
let url: string;
let stopServer: () => Promise<void>;
let webhook: Webhook;
let respond: RequestListener = (_request, response) => response.end();

beforeAll(async () => {
  webhook = await startWebhook((request, response) => respond(request, response));
  service = await startService({ worker: false, env: { ADMIN_SECRET } });
  const started = await service.startAnotherServer({
    AUTH_WEBHOOK_URL: webhook.url,
    AUTH_WEBHOOK_SECRET,
  });
  ({ url, stop: stopServer } = started);
});
afterAll(async () => {
  await stopServer();
  await service.stop();
  webhook.stop();
});
afterEach(() => webhook.requests.splice(0));

describe("with an external webhook", () => {
  test("each request causes one GET with the client's headers and the shared secret, which no client can set", async () => {
    respond = respondWith(200, guest);
    const response = await askGraphql(url, {
      ...{ ...bearer("a.b.c"), "x-client-header": "yes", "X-Webhook-Secret": "forged" },
    })(query);
    expect(response.body).toEqual({ data: { user_session: [] } });
    await askGraphql(url, bearer("a.b.c"))(query);
    expect(webhook.requests).toHaveLength(2);
    expect(webhook.requests[0]).toMatchObject({
      method: "GET",
      headers: {
        authorization: "Bearer a.b.c",
        "x-client-header": "yes",
        "x-webhook-secret": AUTH_WEBHOOK_SECRET,
      },
    });
    // Headers about the client's connection and body do not apply to this request.
    expect(webhook.requests[0]?.headers).not.toHaveProperty("content-length");
  });

  test("its connections are kept alive", async () => {
    let connections = 0;
    const count = () => connections++;
    webhook.server.on("connection", count);
    respond = respondWith(200, guest);
    for (let turn = 0; turn < 5; turn++) await askGraphql(url, bearer("x"))(query);
    webhook.server.off("connection", count);
    expect(connections).toBeLessThanOrEqual(1);
  });

  test("an unauthorized request is 401 with a GraphQL error and a challenge, before its document is parsed", async () => {
    respond = respondWith(401, { message: "secret cause" });
    const response = await askGraphql(url, bearer("x"))("{ no such document");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="latchkey", error="invalid_token"');
    expect(response.body).toEqual({
      errors: [{ message: "Not authorized.", extensions: { path: "$", code: "access-denied" } }],
    });
    const withoutToken = await askGraphql(url)(query);
    expect(withoutToken.headers.get("www-authenticate")).toBe('Bearer realm="latchkey"');
  });

  test("the body of an unauthorized request is not read", async () => {
    respond = respondWith(401, {});
    for (const body of ["{ malformed", "x".repeat(100_000)])
      expect((await postGraphql(url, body, { "content-type": "text/plain" })).status).toBe(401);
  });

  test("two Authorization headers are refused without calling the webhook", async () => {
    const { hostname, port } = new URL(url);
    const body = JSON.stringify({ query });
    const response = await rawRequest(
      hostname,
      Number(port),
      `POST /v1/graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(response).toMatch(/^HTTP\/1.1 401 /);
    expect(webhook.requests).toEqual([]);
  });

  const user = { ...guest, "X-Hasura-Role": "user" };
  test.each<[string, RequestListener]>([
    ["500", respondWith(500, { message: "secret cause" })],
    ["403", respondWith(403, {})],
    ["a redirection", (_request, response) => response.writeHead(302, { location: "/other" }).end()],
    ["no JSON", (_request, response) => response.end("secret cause")],
    ["a list", respondWith(200, [guest])],
    ["null", respondWith(200, null)],
    ["no role", respondWith(200, { "X-Hasura-Session-Id": session })],
    ["no session", respondWith(200, { "X-Hasura-Role": "guest" })],
    ["an unknown role", respondWith(200, { ...guest, "X-Hasura-Role": "owner" })],
    ["a role of the database", respondWith(200, { ...guest, "X-Hasura-Role": "latchkey_owner" })],
    ["the role admin", respondWith(200, { ...guest, "X-Hasura-Role": "admin" })],
    [
      "the role admin with a user",
      respondWith(200, { ...user, "X-Hasura-Role": "admin", "X-Hasura-User-Id": session }),
    ],
    ["a user without an id", respondWith(200, user)],
    ["a guest with a user's id", respondWith(200, { ...guest, "X-Hasura-User-Id": session })],
    ["a malformed id", respondWith(200, { ...guest, "X-Hasura-Session-Id": "' or true --" })],
    ["a large response", (_request, response) => response.writeHead(200).end("x".repeat(100_000))],
    ["a dropped connection", (request) => request.socket.destroy()],
  ])("a webhook that fails is 503 without its cause: %s", async (_name, listener) => {
    respond = listener;
    const response = await askGraphql(url, bearer("x"))(query);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("2");
    expect(response.body).toEqual({
      errors: [
        {
          message: "The service cannot take this request now. Try again in a moment.",
          extensions: { path: "$", code: "unexpected" },
        },
      ],
    });
  });

  test("a webhook that does not respond is 503", async () => {
    respond = () => undefined;
    expect(await askGraphql(url, bearer("x"))(query)).toMatchObject({ status: 503, code: "unexpected" });
  });

  test.each(["x-admin-secret", "X-Hasura-Admin-Secret"])(
    "%s authorizes the admin without calling the webhook",
    async (name) => {
      const response = await askGraphql(url, { [name]: ADMIN_SECRET })("{ settings_configuration { key } }");
      expect(response.code).toBeUndefined();
      expect(webhook.requests).toEqual([]);
    },
  );

  test.each([
    { "x-admin-secret": `${ADMIN_SECRET} ` + "x" },
    { "x-admin-secret": "" },
    { "x-hasura-admin-secret": ADMIN_SECRET.toUpperCase() },
    { "x-admin-secret": ADMIN_SECRET, "x-hasura-admin-secret": "wrong" },
  ])("a wrong admin secret is 401 without calling the webhook: %o", async (headers) => {
    respond = respondWith(200, guest);
    const response = await askGraphql(url, { ...bearer("good"), ...headers })(query);
    expect(response).toMatchObject({ status: 401, code: "access-denied" });
    expect(webhook.requests).toEqual([]);
  });
});

describe("with this server's own webhook", () => {
  test("a valid token is accepted, a revoked one is refused", async () => {
    const { access_token } = tokensOf(await service.client.post("/auth/session/guest"));
    const ask = askGraphql(service.url, bearer(access_token));
    expect((await ask(query)).status).toBe(200);
    await service.client.post("/auth/logout", undefined, bearer(access_token));
    expect(await ask(query)).toMatchObject({ status: 401, code: "access-denied" });
  });

  test("a missing, malformed or forged token and a refresh token are refused", async () => {
    const { access_token, refresh_token } = tokensOf(await service.client.post("/auth/session/guest"));
    const forged = `${access_token.slice(0, -4)}AAAA`;
    for (const headers of [{}, { authorization: access_token }, bearer(forged), bearer(refresh_token)]) {
      expect(await askGraphql(service.url, headers)(query)).toMatchObject({
        status: 401,
        code: "access-denied",
      });
    }
  });

  test("a lost database is 503, not 401", async () => {
    const { access_token } = tokensOf(await service.client.post("/auth/session/guest"));
    await service.proxy.cut();
    const response = await askGraphql(service.url, bearer(access_token))(query);
    await service.proxy.restore();
    expect(response).toMatchObject({ status: 503, code: "unexpected" });
  });
});

async function rawRequest(host: string, port: number, text: string): Promise<string> {
  const { connect } = await import("node:net");
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, host, () => socket.write(text));
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("end", () => resolve(received));
    socket.on("error", reject);
  });
}
