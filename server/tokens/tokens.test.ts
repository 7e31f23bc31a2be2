import jwt from "jsonwebtoken";
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { createSigningKey } from "../../testing/service/test_keys.ts";
import { createSigningKeys, parseSigningKeys as parseKeys } from "../../config/secrets/signing_keys.ts";
import { createTokens } from "./tokens.ts";
import { createSession, elsewhere, invalid, key, settings, tokens } from "./fixtures/token_fixtures.ts";

const parseSigningKeys = (text: string) => z.string().transform(parseKeys).parse(text);

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
    client_id: "latchkey",
    sub: session.user_id,
    sid: session.session_id,
    role: "user",
    user_type: "user",
    token_use: "access",
    jti: session.access_token_id,
    exp: Math.floor(Date.parse(session.access_token_expires_at) / 1000),
    amr: ["pwd"],
    acr: "aal1",
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

test("an RSA key signs by RS256, and no key verifies by the other's algorithm", () => {
  const rsa = parseSigningKeys(createSigningKeys("RS256"));
  const mixed = createTokens({ ...settings, keys: [...rsa, key] });
  const { access_token, refresh_token } = mixed.sign(createSession());
  expect(jwt.decode(access_token, { complete: true })?.header).toMatchObject({ alg: "RS256", typ: "at+jwt" });
  const elsewhere = createTokens({ ...settings, keys: [key, ...rsa] });
  expect(elsewhere.verify(access_token, "access")).toHaveProperty("claims");
  expect(elsewhere.verify(refresh_token, "refresh")).toHaveProperty("claims");
  expect(mixed.verify(tokens.sign(createSession()).access_token, "access")).toHaveProperty("claims");
  // Signed by the RSA key with PSS, under its kid: a key has one algorithm alone.
  const claims = jwt.decode(access_token, { json: true }) ?? {};
  const header = { alg: "PS256", typ: "at+jwt" };
  const forged = jwt.sign(claims, rsa[0]!.privateKey, { algorithm: "PS256", keyid: rsa[0]!.kid, header });
  expect(elsewhere.verify(forged, "access")).toEqual(invalid);
});

test("the database role is in the claim and under the name that the operator chose, in access tokens alone", () => {
  const values = { user: "latchkey_user" };
  const claimsOf = (claim: string) => {
    const signed = createTokens({ ...settings, databaseRole: { claim, values } }).sign(createSession());
    return [signed.access_token, signed.refresh_token].map((token) => jwt.decode(token, { json: true }));
  };
  expect(claimsOf("role")).toMatchObject([{ role: "latchkey_user", user_type: "user" }, { role: "user" }]);
  const [access, refresh] = claimsOf("https://example.com/role");
  expect(access).toMatchObject({ role: "user", "https://example.com/role": "latchkey_user" });
  expect(refresh).not.toHaveProperty("https://example.com/role");
  const guest = createSession({ user_id: null, role: "guest", user_type: "guest" });
  const unmapped = createTokens({ ...settings, databaseRole: { claim: "role", values } }).sign(guest);
  expect(jwt.decode(unmapped.access_token)).toMatchObject({ role: "guest" });
});

test("the longest token that we sign is accepted", () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 4096 });
  const keys = parseSigningKeys(JSON.stringify({ keys: [{ ...privateKey.export({ format: "jwk" }), kid: "k" }] }));
  const long = { ...settings, keys, issuer: `https://example.com/${"x".repeat(1000)}`, clientId: "x".repeat(200) };
  const { access_token } = createTokens(long).sign(createSession());
  expect(createTokens(long).verify(access_token, "access")).toHaveProperty("claims");
});
