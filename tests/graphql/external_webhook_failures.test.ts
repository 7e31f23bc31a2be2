import type { RequestListener } from "node:http";
import { expect } from "vitest";
import { bearer } from "../../testing/service/rest_client.ts";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";
import { respondWith } from "../../testing/graphql/fake_webhook.ts";
import { guestClaims, sessionId, test } from "./fixtures/external_webhook.ts";

const query = "{ user_session { id } }";

const userClaims = { ...guestClaims, "X-Hasura-Role": "user" };
test.for<[string, RequestListener]>([
  ["500", respondWith(500, { message: "secret cause" })],
  ["403", respondWith(403, {})],
  ["a redirection", (_request, response) => response.writeHead(302, { location: "/other" }).end()],
  ["no JSON", (_request, response) => response.end("secret cause")],
  ["a list", respondWith(200, [guestClaims])],
  ["null", respondWith(200, null)],
  ["no role", respondWith(200, { "X-Hasura-Session-Id": sessionId })],
  ["no session", respondWith(200, { "X-Hasura-Role": "guest" })],
  ["an unknown role", respondWith(200, { ...guestClaims, "X-Hasura-Role": "owner" })],
  ["a role of the database", respondWith(200, { ...guestClaims, "X-Hasura-Role": "latchkey_owner" })],
  ["the role admin", respondWith(200, { ...guestClaims, "X-Hasura-Role": "admin" })],
  [
    "the role admin with a user",
    respondWith(200, { ...userClaims, "X-Hasura-Role": "admin", "X-Hasura-User-Id": sessionId }),
  ],
  ["a user without an id", respondWith(200, userClaims)],
  ["a guest with a user's id", respondWith(200, { ...guestClaims, "X-Hasura-User-Id": sessionId })],
  ["a malformed id", respondWith(200, { ...guestClaims, "X-Hasura-Session-Id": "' or true --" })],
  ["a large response", (_request, response) => response.writeHead(200).end("x".repeat(100_000))],
  ["a dropped connection", (request) => request.socket.destroy()],
])("a webhook that fails is 503 without its cause: %s", async ([_name, listener], { webhook, webhookServer }) => {
  webhook.respond(listener);
  const response = await askGraphql(webhookServer.url, bearer("x"))(query);
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

test("a token that has ended by the webhook's answer is refused", async ({ webhook, webhookServer }) => {
  const ask = askGraphql(webhookServer.url, bearer("x"));
  webhook.respond(respondWith(200, { ...guestClaims, Expires: new Date(Date.now() - 1_000).toUTCString() }));
  expect(await ask(query)).toMatchObject({ status: 401, code: "access-denied" });
  webhook.respond(respondWith(200, { ...guestClaims, Expires: new Date(Date.now() + 60_000).toUTCString() }));
  expect((await ask(query)).status).toBe(200);
});

test("a webhook that does not respond is 503", async ({ webhook, webhookServer }) => {
  webhook.respond(() => undefined);
  expect(await askGraphql(webhookServer.url, bearer("x"))(query)).toMatchObject({
    status: 503,
    code: "unexpected",
  });
});
