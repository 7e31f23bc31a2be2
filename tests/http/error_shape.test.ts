import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { routes } from "../../server/rest/routes.ts";

const test = baseTest.extend("raw", ({ service }) => async (path: string, init: RequestInit) => {
  const response = await fetch(service.url + path, init);
  const { status, headers } = response;
  const body = (await response.json()) as object;
  return { status, headers, body };
});

const shape = (path: string, method: string) => ({
  error: {
    message: expect.any(String) as string,
    code: "INVALID_REQUEST",
    details: expect.any(Object) as object,
  },
  meta: { timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string, path, method },
});
const login = "/api/v1/auth/login";
const json = { "content-type": "application/json" };

test.for([
  ["an unknown route", "/api/v1/nothing?token=secret", { method: "GET" }, 404],
  ["a path below none", "/nothing", { method: "GET" }, 404],
  ["another method on a page", "/", { method: "POST" }, 405],
  ["another method", login, { method: "GET" }, 405],
  ["malformed JSON", login, { method: "POST", body: "{", headers: json }, 400],
  [
    "a body of 17 KiB",
    login,
    { method: "POST", body: JSON.stringify({ phone: "9".repeat(17_000) }), headers: json },
    413,
  ],
  ["a form", login, { method: "POST", body: new URLSearchParams({ phone: "1" }) }, 415],
  [
    "a foreign charset",
    login,
    { method: "POST", body: "{}", headers: { "content-type": "application/json; charset=ebcdic" } },
    415,
  ],
  ["an unknown encoding", login, { method: "POST", body: "{}", headers: { ...json, "content-encoding": "nope" } }, 415],
  ["an array", login, { method: "POST", body: "[1]", headers: json }, 400],
  ["a text", login, { method: "POST", body: '"x"', headers: json }, 400],
  ["a malformed path", "/api/v1/%ff", { method: "GET" }, 404],
] as [string, string, RequestInit, number][])(
  "a response of the documented shape comes for %s",
  async ([_what, path, init, status], { raw }) => {
    const answer = await raw(path, init);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(shape(path.split("?")[0]!, init.method!));
  },
);

test("a 405 names the methods that the route takes", async ({ raw }) => {
  expect((await raw(login, { method: "DELETE" })).headers.get("allow")).toBe("POST");
  expect((await raw("/api/v1/health", { method: "POST" })).headers.get("allow")).toBe("GET, HEAD");
});

const sessionId = "0197F0A4-6F2B-7C3D-9E4F-5A6B7C8D9E0F";
const spellings = [
  ["GET", "/api/v1/health"],
  ["GET", "/api/v1/auth/webhook/authorize"],
  ["POST", "/api/v1/auth/webhook/authorize"],
  ["GET", "/.well-known/jwks.json"],
  ["GET", "/console"],
  ["POST", "/v1/graphql"],
  ...routes.map(({ method, path }) => [method, `/api/v1${path.replace(/\{\w+\}/, sessionId)}`]),
] as [string, string][];

/** Another spelling of a fixed path would match the route with a variable part, which takes other methods. */
const isVariable = (path: string): boolean =>
  routes.some(
    (route) => route.path.includes("{") && new RegExp(`^/api/v1${route.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );

test.for(spellings)("%s %s has no other spelling", async ([method, path], { service, raw }) => {
  expect((await fetch(service.url + path, { method })).status).not.toBe(404);
  // The last fixed part, since a variable one is the client's.
  const capital = path.replace(/[a-z-]+(?=(\/0197[\w-]+)?$)/, (word) => word.toUpperCase());
  const encoded = path.replace(/[a-z](?=(\/0197[\w-]+)?$)/, percentEncode);
  for (const other of [capital, `${path}/`, `/${path}`, encoded]) {
    const { status, body } = await raw(other, { method });
    const [expected, reason] = isVariable(other) ? [405, "method_not_allowed"] : [404, "not_found"];
    expect([other, status]).toEqual([other, expected]);
    expect(body).toEqual(shape(other, method));
    expect(body).toMatchObject({ error: { details: { reason } } });
  }
});

const percentEncode = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;
