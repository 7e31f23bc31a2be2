import { expect, test } from "vitest";
import { answersOf, jsonOf } from "../network/fake_answers.ts";

const meta = { timestamp: "2026-01-31T12:00:00.000Z", path: "/", method: "POST" };
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
const logout = "/api/v1/auth/logout";
const sendOtp = "/api/v1/otp/send";
const tooShort = { reason: "too_short", field: "password", minimum: 8 };
const autofill = { reason: "autofill_not_allowed", field: "input.autofill" };
const fraud = { retryAfterSeconds: 1, policy: "FRAUD_COUNTRY" };
const graphql = "/v1/graphql";
const jwks = "/.well-known/jwks.json";
const methodOf = (path: string) => (path === jwks ? "GET" : "POST");

/** An error of a route, by default POST /auth/login. */
const refusal = (status: number, code: string, details: object | null, path = login) =>
  [path, status, { error: { message: "No.", code, details }, meta }] as const;
const graphqlErrors = (...errors: object[]) => [graphql, 200, { errors }] as const;

test.for([
  refusal(400, "INVALID_REQUEST", tooShort, "/api/v1/auth/register"),
  refusal(400, "INVALID_REQUEST", { reason: "wrong_type", field: "password" }),
  refusal(400, "INVALID_REQUEST", { reason: "malformed" }, logout),
  refusal(400, "INVALID_REQUEST", autofill, sendOtp),
  refusal(401, "INVALID_REQUEST", { reason: "login_refused" }),
  refusal(401, "SESSION_NOT_FOUND", { reason: "token_expired" }),
  refusal(401, "SESSION_NOT_FOUND", { reason: "token_missing" }, logout),
  refusal(401, "SESSION_NOT_FOUND", { reason: "token_replaced" }, "/api/v1/auth/session/refresh"),
  refusal(401, "SESSION_REVOKED", { reason: "token_reused" }, "/api/v1/auth/session/refresh"),
  refusal(401, "SESSION_REVOKED", null, "/api/v1/auth/session/refresh"),
  refusal(429, "RATE_LIMIT_EXCEEDED", limit),
  refusal(429, "RATE_LIMIT_EXCEEDED", fraud, sendOtp),
  [graphql, 200, { data: { user_session: [] } }],
  [
    graphql,
    200,
    { data: null, errors: [{ message: "No.", path: ["a", 0], extensions: { path: "$", code: "timeout" } }] },
  ],
  graphqlErrors({ message: "No.", extensions: { path: "$", code: "validation-failed" } }),
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
  ["bounds of a fraud rule", ...refusal(429, "RATE_LIMIT_EXCEEDED", { ...limit, ...fraud }, sendOtp)],
  ["a password rule where no password is set", ...refusal(400, "INVALID_REQUEST", tooShort)],
  ["autofill where no code is sent", ...refusal(400, "INVALID_REQUEST", autofill)],
  ["a fraud rule where no code is sent", ...refusal(429, "RATE_LIMIT_EXCEEDED", fraud)],
  ["a field without a body", ...refusal(400, "INVALID_REQUEST", { reason: "invalid", field: "phone" }, logout)],
  ["a missing token where it is optional", ...refusal(401, "SESSION_NOT_FOUND", { reason: "token_missing" })],
  ["a replaced access token", ...refusal(401, "SESSION_NOT_FOUND", { reason: "token_replaced" }, logout)],
  ["a reused access token", ...refusal(401, "SESSION_REVOKED", { reason: "token_reused" }, logout)],
  ["neither data nor errors", graphql, 200, {}],
  ["a member of a result", graphql, 200, { data: {}, x: 1 }],
  [
    "data beside errors",
    graphql,
    200,
    { data: {}, errors: [{ message: "", extensions: { path: "$", code: "timeout" } }] },
  ],
  ["no error in errors", ...graphqlErrors()],
  [
    "a rolled back document without data",
    ...graphqlErrors({ message: "No.", extensions: { path: "$", code: "timeout" } }),
  ],
  [
    "the failed field of a document that was not executed",
    ...graphqlErrors({ message: "No.", path: ["a"], extensions: { path: "$", code: "validation-failed" } }),
  ],
  ["an error without a code", ...graphqlErrors({ message: "No.", extensions: { path: "$" } })],
  ["an unknown code", ...graphqlErrors({ message: "No.", extensions: { path: "$", code: "new" } })],
  ["a member of extensions", ...graphqlErrors({ message: "", extensions: { path: "$", code: "timeout", cause: "x" } })],
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

test("a wrong document in GraphQL's own media type has the codes of one that was not executed", async () => {
  const failure = (code: string) =>
    jsonOf(
      400,
      { errors: [{ message: "No.", extensions: { path: "$", code } }] },
      { "content-type": "application/graphql-response+json" },
    );
  expect(await answersOf(failure("limit-exceeded"), graphql, "POST")).not.toThrow();
  expect(await answersOf(failure("timeout"), graphql, "POST")).toThrow(/document:\ndata/);
});
