import { expect } from "vitest";
import { bearer } from "../../testing/service/rest_client.ts";
import { askGraphql, postGraphql } from "../../testing/graphql/graphql_client.ts";
import { respondWith } from "../../testing/graphql/fake_webhook.ts";
import { guestClaims, test as baseTest, webhookSecret } from "./fixtures/external_webhook.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";
const query = "{ user_session { id } }";

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({
  worker: false,
  env: { ADMIN_SECRET },
}));
test.afterEach(({ webhook }) => void webhook.requests.splice(0));

test("each request causes one GET with the client's headers and the shared secret, which no client can set", async ({
  webhook,
  webhookServer,
}) => {
  webhook.respond(respondWith(200, guestClaims));
  const response = await askGraphql(webhookServer.url, {
    ...bearer("a.b.c"),
    "x-client-header": "yes",
    "X-Webhook-Secret": "forged",
  })(query);
  expect(response.body).toEqual({ data: { user_session: [] } });
  await askGraphql(webhookServer.url, bearer("a.b.c"))(query);
  expect(webhook.requests).toHaveLength(2);
  expect(webhook.requests[0]).toMatchObject({
    method: "GET",
    headers: {
      authorization: "Bearer a.b.c",
      "x-client-header": "yes",
      "x-webhook-secret": webhookSecret,
    },
  });
  // Headers about the client's connection and body do not apply to this request.
  expect(webhook.requests[0]?.headers).not.toHaveProperty("content-length");
});

test("its connections are kept alive", async ({ webhook, webhookServer }) => {
  let connections = 0;
  const count = () => connections++;
  webhook.server.on("connection", count);
  webhook.respond(respondWith(200, guestClaims));
  for (let turn = 0; turn < 5; turn++) await askGraphql(webhookServer.url, bearer("x"))(query);
  webhook.server.off("connection", count);
  expect(connections).toBeLessThanOrEqual(1);
});

test("an unauthorized request is 401 with a GraphQL error and a challenge, before its document is parsed", async ({
  webhook,
  webhookServer,
}) => {
  webhook.respond(respondWith(401, { message: "secret cause" }));
  const response = await askGraphql(webhookServer.url, bearer("x"))("{ no such document");
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe('Bearer realm="latchkey", error="invalid_token"');
  expect(response.body).toEqual({
    errors: [{ message: "Not authorized.", extensions: { path: "$", code: "access-denied" } }],
  });
  const withoutToken = await askGraphql(webhookServer.url)(query);
  expect(withoutToken.headers.get("www-authenticate")).toBe('Bearer realm="latchkey"');
});

test("the body of an unauthorized request is not read", async ({ webhook, webhookServer }) => {
  webhook.respond(respondWith(401, {}));
  for (const body of ["{ malformed", "x".repeat(100_000)])
    expect((await postGraphql(webhookServer.url, body, { "content-type": "text/plain" })).status).toBe(401);
});

test("two Authorization headers are refused without calling the webhook", async ({ webhook, webhookServer }) => {
  const { hostname, port } = new URL(webhookServer.url);
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

test.for(["x-admin-secret", "X-Hasura-Admin-Secret"])(
  "%s authorizes the admin without calling the webhook",
  async (name, { webhook, webhookServer }) => {
    const response = await askGraphql(webhookServer.url, { [name]: ADMIN_SECRET })(
      "{ settings_configuration { key } }",
    );
    expect(response.code).toBeUndefined();
    expect(webhook.requests).toEqual([]);
  },
);

test.for([
  { "x-admin-secret": `${ADMIN_SECRET} ` + "x" },
  { "x-admin-secret": "" },
  { "x-hasura-admin-secret": ADMIN_SECRET.toUpperCase() },
  { "x-admin-secret": ADMIN_SECRET, "x-hasura-admin-secret": "wrong" },
])("a wrong admin secret is 401 without calling the webhook: %o", async (headers, { webhook, webhookServer }) => {
  webhook.respond(respondWith(200, guestClaims));
  const response = await askGraphql(webhookServer.url, { ...bearer("good"), ...headers })(query);
  expect(response).toMatchObject({ status: 401, code: "access-denied" });
  expect(webhook.requests).toEqual([]);
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
