import { randomUUID } from "node:crypto";
import type { Request } from "express";
import { expect, test } from "vitest";
import { createSigningKey } from "../../testing/service/test_keys.ts";
import { createLog } from "../../runtime/log.ts";
import { openContext } from "../../http/request_context.ts";
import { Problem } from "../../http/problem.ts";
import { bearerToken, parseBearer } from "../http/bearer.ts";
import { guards } from "./guards.ts";
import { sameSecret } from "../../runtime/same_secret.ts";
import { settings } from "../tokens/fixtures/token_fixtures.ts";
import { createTokens } from "../tokens/tokens.ts";

const tokens = createTokens({ ...settings, keys: [createSigningKey("one")], issuer: "i", audience: "a" });
const ids = { session_id: randomUUID(), access_token_id: randomUUID(), refresh_token_id: randomUUID() };
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const signed = tokens.sign({
  user_id: null,
  user_type: "guest",
  role: "guest",
  access_token_expires_at: inAnHour,
  refresh_token_expires_at: inAnHour,
  amr: null,
  authenticated_at: null,
  promoted_session_id: null,
  restored: false,
  created: false,
  claims: null,
  acr: null,
  ...ids,
});

/** A request as node:http parses it: the first Authorization header wins, rawHeaders has them all. */
function request(authorizations: string[], body?: unknown, name = "Authorization"): Request {
  const [authorization] = authorizations;
  const rawHeaders = ["Host", "authorization", ...authorizations.flatMap((value) => [name, value])];
  const parsed = { rawHeaders, headers: { authorization }, body } as unknown as Request;
  openContext(parsed, createLog("test", "silent"));
  return parsed;
}

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.code, error.details?.reason];
  }
}

test("no header is a missing token, in either spelling of the header's name", () => {
  expect(refusal(() => bearerToken(request([])))).toEqual(["SESSION_NOT_FOUND", "token_missing"]);
  expect(bearerToken(request(["Bearer abc"], undefined, "aUTHORIZATION"))).toBe("abc");
});

test("two headers count as none, even if they are equal", () => {
  const { access_token } = signed;
  const twice = request([`Bearer ${access_token}`, `Bearer ${access_token}`]);
  expect(refusal(() => bearerToken(twice))).toEqual(["SESSION_NOT_FOUND", "token_invalid"]);
  const mixed = request([`Bearer ${access_token}`, "Basic eDp5"], undefined, "AUTHORIZATION");
  expect(refusal(() => bearerToken(mixed))).toEqual(["SESSION_NOT_FOUND", "token_invalid"]);
});

test.each(["Bearer abc", "bearer abc", "BEARER   abc", "Bearer abc  "])("%j carries the token abc", (header) => {
  expect(parseBearer(header)).toBe("abc");
});

test.each([
  "",
  "Bearer",
  "Bearer ",
  "abc",
  "Basic abc",
  "Bearerabc",
  "Bearer\tabc",
  "Bearer abc def",
  " Bearer abc",
  "Bearer abc, Bearer def",
  "Bearer, abc",
  "Token abc",
  'Bearer "abc"',
  "Bearer abc\u00e9",
  undefined,
  7,
  ["Bearer abc"],
])("%j carries no token", (header) => {
  expect(parseBearer(header)).toBeUndefined();
});

test("an access token gives its session's id, and a refresh token is not accepted as one", () => {
  const guard = (token: string) => refusal(() => guards.accessToken.check(request([`Bearer ${token}`]), tokens));
  expect(guard(signed.access_token)).toMatchObject({ session_id: ids.session_id });
  expect(guard(signed.refresh_token)).toEqual(["SESSION_NOT_FOUND", "token_invalid"]);
});

test("a refresh token must be the same in header and body, which is checked before the token itself", () => {
  const guard = (header: string, body: unknown) =>
    refusal(() => guards.refreshToken.check(request([`Bearer ${header}`], body), tokens));
  const { access_token, refresh_token } = signed;
  expect(guard(refresh_token, { refresh_token })).toEqual({
    session_id: ids.session_id,
    refresh_token_id: ids.refresh_token_id,
  });
  expect(guard(refresh_token, { refresh_token: access_token })).toEqual(["SESSION_MISMATCH", undefined]);
  expect(guard("abc", { refresh_token: "abcd" })).toEqual(["SESSION_MISMATCH", undefined]);
  expect(guard("abc", { refresh_token: "abc" })).toEqual(["SESSION_NOT_FOUND", "token_invalid"]);
  expect(guard(access_token, { refresh_token: access_token })).toEqual(["SESSION_NOT_FOUND", "token_invalid"]);
});

test.each([[undefined], [null], [{}], [{ refresh_token: 7 }], [{ refresh_token: " " }]])(
  "a body of %j is refused as the input's schema refuses it, before the token is checked",
  (body) => {
    const refused = refusal(() => guards.refreshToken.check(request(["Bearer abc"], body), tokens)) as string[];
    expect(refused[0]).toMatch(/^(MISSING_FIELDS|INVALID_REQUEST)$/);
  },
);

test("secrets are compared in their whole length", () => {
  expect(sameSecret("secret", "secret")).toBe(true);
  expect(sameSecret("secret", "secreT")).toBe(false);
  expect(sameSecret("secret", "secrets")).toBe(false);
  expect(sameSecret("", "secret")).toBe(false);
});
