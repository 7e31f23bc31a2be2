import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { checkAnswersOf } from "./answer_checks.ts";

/** Requests a path of a server that answers like this, and returns the check of its answers. */
async function answersOf(listener: RequestListener, path = "/live", method = "GET"): Promise<() => void> {
  const http = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void http.close());
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const failIfAnswersDiffered = checkAnswersOf(url);
  await fetch(url + path, { method }).then((response) => response.text());
  return failIfAnswersDiffered;
}

const documented = { "content-type": "application/json", "x-request-id": "a", "cache-control": "no-store" };
const ok = JSON.stringify({ status: "ok" });

/** A listener that answers with JSON and the headers that an answer of this status has. */
const jsonOf =
  (status: number, body: object): RequestListener =>
  (_request, response) => {
    response.statusCode = status;
    const more = { ...(status === 429 && retry), ...(status === 401 && { "www-authenticate": "Bearer" }) };
    response.setHeaders(new Map(Object.entries({ ...documented, ...more })));
    response.end(JSON.stringify(body));
  };

test("an answer as documented passes, compressed or in pieces", async () => {
  const plain: RequestListener = (_request, response) => {
    response.setHeaders(new Map(Object.entries(documented)));
    response.write(ok.slice(0, 5));
    response.end(ok.slice(5));
  };
  expect(await answersOf(plain)).not.toThrow();
  const compressed: RequestListener = (_request, response) => {
    const more = { etag: "x", vary: "accept-encoding", "content-encoding": "gzip" };
    response.setHeaders(new Map(Object.entries({ ...documented, ...more })));
    response.end(gzipSync("{}"));
  };
  expect(await answersOf(compressed, "/api/v1/openapi.json")).not.toThrow();
});

test.for<
  [string, { status?: number; headers?: Record<string, string>; body?: string; path?: string }, RegExp]
>([
  ["a field", { body: '{"status":"fine"}' }, /status must be equal to constant/],
  ["a status", { status: 503 }, /not in the OpenAPI document/],
  ["a path", { path: "/api/v1/other" }, /not in the OpenAPI document/],
  ["a header", { headers: { "x-new": "1" } }, /the header x-new is not documented/],
  ["a media type", { headers: { "content-type": "text/plain" } }, /no such content type: text\/plain/],
])("%s that the document does not have fails", async ([_what, answer, message]) => {
  const { status = 200, headers, body = ok, path } = answer;
  const listener: RequestListener = (_request, response) => {
    response.statusCode = status;
    response.setHeaders(new Map(Object.entries({ ...documented, ...headers })));
    response.end(body);
  };
  expect(await answersOf(listener, path)).toThrow(message);
});

const meta = { timestamp: "2026-01-31T12:00:00.000Z", path: "/", method: "POST" };
const retry = { "retry-after": "1", ratelimit: "1", "ratelimit-policy": "1" };
const limit = { retryAfterSeconds: 1, policy: "LOGINS_PER_PHONE", requests: 1, seconds: 1 };
const key = {
  kty: "EC",
  crv: "P-256",
  x: "x".repeat(43),
  y: "y".repeat(43),
  kid: "1",
  use: "sig",
  alg: "ES256",
};
const login = "/api/v1/auth/login";
const graphql = "/v1/graphql";
const jwks = "/.well-known/jwks.json";
const methodOf = (path: string) => (path === jwks ? "GET" : "POST");

/** An error of POST /auth/login. */
const refusal = (status: number, code: string, details: object | null) =>
  [login, status, { error: { message: "No.", code, details }, meta }] as const;
const graphqlErrors = (...errors: object[]) => [graphql, 200, { errors }] as const;

test.for([
  refusal(400, "INVALID_REQUEST", { reason: "too_short", field: "password", minimum: 8 }),
  refusal(401, "INVALID_REQUEST", { reason: "login_refused" }),
  refusal(429, "RATE_LIMIT_EXCEEDED", limit),
  refusal(429, "RATE_LIMIT_EXCEEDED", { retryAfterSeconds: 1, policy: "FRAUD_COUNTRY" }),
  [graphql, 200, { data: { user_session: [] } }],
  [
    graphql,
    200,
    { data: null, errors: [{ message: "No.", path: ["a", 0], extensions: { code: "timeout" } }] },
  ],
  graphqlErrors({ message: "No.", extensions: { code: "validation-failed" } }),
  [graphql, 413, { errors: [{ message: "No.", extensions: { path: "$", code: "limit-exceeded" } }] }],
  [jwks, 200, { keys: [key] }],
] as [string, number, object][])("%s %i with %j passes", async ([path, status, body]) => {
  expect(await answersOf(jsonOf(status, body), path, methodOf(path))).not.toThrow();
});

test.for([
  ["a member of details", ...refusal(400, "INVALID_REQUEST", { reason: "malformed", hint: "x" })],
  ["the type of a detail", ...refusal(429, "RATE_LIMIT_EXCEEDED", { ...limit, seconds: "1" })],
  ["a reason", ...refusal(400, "INVALID_REQUEST", { reason: "new" })],
  ["a reason of another status", ...refusal(400, "INVALID_REQUEST", { reason: "login_refused" })],
  ["details of a code that has none", ...refusal(429, "MAX_ATTEMPTS_REACHED", limit)],
  ["no details of a code that has some", ...refusal(400, "MISSING_FIELDS", null)],
  ["bounds of a fraud rule", ...refusal(429, "RATE_LIMIT_EXCEEDED", { ...limit, policy: "FRAUD_COUNTRY" })],
  ["neither data nor errors", graphql, 200, {}],
  ["a member of a result", graphql, 200, { data: {}, x: 1 }],
  [
    "data beside errors",
    graphql,
    200,
    { data: {}, errors: [{ message: "", extensions: { code: "timeout" } }] },
  ],
  ["no error in errors", ...graphqlErrors()],
  ["an error without a code", ...graphqlErrors({ message: "No.", extensions: {} })],
  ["an unknown code", ...graphqlErrors({ message: "No.", extensions: { code: "new" } })],
  ["a member of extensions", ...graphqlErrors({ message: "", extensions: { code: "timeout", cause: "x" } })],
  [
    "a refused request without its path",
    graphql,
    413,
    { errors: [{ message: "", extensions: { code: "limit-exceeded" } }] },
  ],
  ["the private member of a key", jwks, 200, { keys: [{ ...key, d: "x".repeat(43) }] }],
] as [string, string, number, object][])("%s fails", async ([_what, path, status, body]) => {
  // ajv's text about the body, and not that there is no such operation.
  expect(await answersOf(jsonOf(status, body), path, methodOf(path))).toThrow(/document:\ndata/);
});

test("pages and their files are not in the document, and neither are the messages of the page /demo", async () => {
  const html: RequestListener = (_request, response) =>
    response.setHeader("content-type", "text/html; charset=utf-8").end("<!doctype html>");
  expect(await answersOf(html, "/a-page")).not.toThrow();
  expect(await answersOf(jsonOf(200, { messages: [] }), "/demo/messages", "POST")).not.toThrow();
  expect(await answersOf(jsonOf(200, { messages: [] }), "/demo/other", "POST")).toThrow(
    "not in the OpenAPI document",
  );
  expect(await answersOf(jsonOf(404, {}), "/demo/messages", "POST")).toThrow(
    "must have required property 'error'",
  );
});

test("a documented header that is missing fails, and so does reading one that is not documented", async () => {
  expect(await answersOf((_request, response) => response.end(ok))).toThrow(
    "the header X-Request-Id is missing",
  );
  const reader: RequestListener = ({ headers }, response) => {
    response.setHeaders(new Map(Object.entries({ ...documented, "x-request-id": String(headers["x-new"]) })));
    response.end(ok);
  };
  expect(await answersOf(reader)).toThrow("does not name: x-new");
});
