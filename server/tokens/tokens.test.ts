import jwt from "jsonwebtoken";
import { expect, test } from "vitest";
import { createSigningKey } from "../../testing/service/test_keys.ts";
import { createTokens } from "./tokens.ts";
import { createSession, elsewhere, invalid, key, settings, tokens } from "./fixtures/token_fixtures.ts";

test("a user's access token has the documented claims and no more", () => {
  const session = createSession();
  const { access_token, access_token_expires_at } = tokens.sign(session);
  expect(jwt.decode(access_token, { complete: true })).toMatchObject({
    header: { alg: "ES256", typ: "at+jwt", kid: "one" },
  });
  const claims = jwt.decode(access_token) as Record<string, unknown>;
  expect(claims).toEqual({
    iat: expect.any(Number) as number,
    iss: "latchkey",
    aud: "latchkey-api",
    sub: session.user_id,
    sid: session.session_id,
    role: "user",
    user_type: "user",
    token_use: "access",
    jti: session.access_token_id,
    exp: Math.floor(Date.parse(session.access_token_expires_at) / 1000),
    amr: ["pwd"],
    auth_time: Date.parse("2026-01-31T12:00:00Z") / 1000,
    "https://hasura.io/jwt/claims": {
      "x-hasura-default-role": "user",
      "x-hasura-allowed-roles": ["user"],
      "x-hasura-user-id": session.user_id,
      "x-hasura-session-id": session.session_id,
    },
  });
  expect(new Date(access_token_expires_at).getTime() / 1000).toBe(claims.exp);
});

test("a guest's token is about its session and names no user", () => {
  const guest = createSession({
    user_id: null,
    user_type: "guest",
    role: "guest",
    amr: null,
    authenticated_at: null,
  });
  const claims = jwt.decode(tokens.sign(guest).access_token) as Record<string, unknown>;
  expect(claims).not.toHaveProperty("amr");
  expect(claims).not.toHaveProperty("auth_time");
  expect(claims).toMatchObject({ sub: guest.session_id, role: "guest", user_type: "guest" });
  expect(claims["https://hasura.io/jwt/claims"]).toEqual({
    "x-hasura-default-role": "guest",
    "x-hasura-allowed-roles": ["guest"],
    "x-hasura-session-id": guest.session_id,
  });
});

test("a refresh token is for us alone and has nothing for Hasura", () => {
  const session = createSession();
  const decoded = jwt.decode(tokens.sign(session).refresh_token, { complete: true });
  expect(decoded).toMatchObject({
    header: { typ: "JWT" },
    payload: { aud: "latchkey", token_use: "refresh", jti: session.refresh_token_id },
  });
  expect(decoded?.payload).toMatchObject({ amr: ["pwd"], auth_time: expect.any(Number) as number });
  expect(decoded?.payload).not.toHaveProperty("https://hasura.io/jwt/claims");
});

test.each([
  ["where it was signed", tokens],
  ["elsewhere", elsewhere],
])("a token is valid for its own use only, %s", (_, { verify }) => {
  const session = createSession();
  const { session_id: sid, access_token_id, refresh_token_id } = session;
  const { access_token, refresh_token } = tokens.sign(session);
  expect(verify(access_token, "access")).toMatchObject({ claims: { sid, jti: access_token_id } });
  expect(verify(refresh_token, "refresh")).toMatchObject({ claims: { sid, jti: refresh_token_id } });
  expect(verify(refresh_token, "access")).toEqual(invalid);
  expect(verify(access_token, "refresh")).toEqual(invalid);
});

test("of two live keys the first signs and both verify, so that a key is replaced without losing a token", () => {
  const next = createSigningKey("two");
  const before = tokens.sign(createSession()).access_token;
  const during = createTokens({ ...settings, keys: [next, key] });
  expect(during.verify(before, "access")).toHaveProperty("claims");
  const signed = during.sign(createSession()).access_token;
  expect(jwt.decode(signed, { complete: true })?.header.kid).toBe("two");

  const after = createTokens({ ...settings, keys: [next] });
  expect(after.verify(signed, "access")).toHaveProperty("claims");
  expect(after.verify(before, "access")).toEqual(invalid);
});
