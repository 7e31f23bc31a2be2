import { describe, expect } from "vitest";
import { bearer, tokensOf, type Tokens } from "../../testing/service/rest_client.ts";
import { test, type WebhookClient } from "../fixtures/webhook_fixtures.ts";

describe("every refusal is a 401 without the envelope", () => {
  /** A description, and a function that sends the request; `token` is a valid Authorization header. */
  type Case = [string, (webhook: WebhookClient, token: string, user: Tokens) => ReturnType<WebhookClient["call"]>];
  test.for<Case>([
    ["no token", ({ get }) => get({})],
    ["a token that is not a JWT", ({ get }) => get({ authorization: "Bearer x" })],
    ["another scheme", ({ get }) => get({ authorization: "Basic eDp5" })],
    ["a refresh token", ({ get }, _token, user) => get(bearer(user.refresh_token))],
    ["no body", ({ call }) => call({ method: "POST" })],
    ["malformed JSON", ({ post }) => post("{")],
    ["a body without headers", ({ post }) => post({ request: null })],
    ["headers of the wrong type", ({ post }, token) => post({ headers: [token] })],
    ["a token of the wrong type", ({ post }, token) => post({ headers: { authorization: [token] } })],
    [
      "two tokens of one name",
      ({ post }, token) => post(`{"headers":{"a":"${token}","a":"${token}"}}`.replaceAll('"a"', '"authorization"')),
    ],
    ["two headers", ({ post }, token) => post(`{"headers":{"authorization":"${token}"},"headers":{}}`)],
    ["a token beside headers", ({ post }, token) => post({ authorization: token, headers: {} })],
    ["a token below another header", ({ post }, token) => post({ headers: { x: { authorization: token } } })],
    ["an inherited token", ({ post }, token) => post(`{"headers":{"__proto__":{"authorization":"${token}"}}}`)],
    ["a name with a broken escape", ({ post }, token) => post(`{"headers":{"\\x":1,"authorization":"${token}"}}`)],
    ["a value with a broken escape", ({ post }, token) => post(`{"headers":{"authorization":"\\x${token}"}}`)],
    ["null for headers", ({ post }) => post({ headers: null })],
    ["an array", ({ post }, token) => post([{ headers: { authorization: token } }])],
    ["two tokens", ({ post }, token) => post({ headers: { authorization: token, Authorization: token } })],
    ["a token in the HTTP header of a POST", ({ post }, token) => post({ headers: {} }, { authorization: token })],
    [
      "a body of 300 KiB",
      ({ post }, token) => post({ headers: { authorization: token }, request: "x".repeat(300_000) }),
    ],
  ])("%s", async ([, send], { webhook, user }) => {
    const { status, headers, body } = await send(webhook, `Bearer ${user.access_token}`, user);
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(Object.keys(body)).toEqual(["message"]);
  });

  test.for<[string, (webhook: WebhookClient) => ReturnType<WebhookClient["call"]>]>([
    ["a GET without a token", ({ get }) => get({})],
    ["a POST without a token", ({ post }) => post({ headers: { "X-Other": "x" } })],
  ])("%s is challenged without an error code (RFC 6750, 3.1)", async ([, send], { webhook }) => {
    expect((await send(webhook)).headers.get("www-authenticate")).toBe('Bearer realm="latchkey"');
    const invalid = await webhook.get({ authorization: "Bearer x" });
    expect(invalid.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test("a session revoked a moment ago", async ({ client, webhook: { get } }) => {
    const gone = tokensOf(await client.post("/auth/session/guest"));
    await client.post("/auth/logout", undefined, bearer(gone.access_token));
    expect((await get(bearer(gone.access_token))).status).toBe(401);
  });
});
