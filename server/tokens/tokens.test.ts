import { createHmac, randomUUID } from "node:crypto";
import jwt from "jsonwebtoken";
import { expect, test } from "vitest";
import { createSigningKey } from "../../testing/test_keys.ts";
import type { Session } from "../database/api_answers.ts";
import { createTokens } from "./tokens.ts";

const key = createSigningKey("one");
const settings = { keys: [key], issuer: "latchkey", audience: "latchkey-api" };
const tokens = createTokens(settings);
/** Another process: it has signed nothing, so it knows a token by its signature alone. */
const elsewhere = createTokens(settings);
const invalid = { fault: "token_invalid" };

const session = (given: Partial<Session> = {}): Session => ({
  session_id: randomUUID(),
  user_id: randomUUID(),
  user_type: "user",
  role: "user",
  access_token_id: randomUUID(),
  access_token_expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  refresh_token_id: randomUUID(),
  refresh_token_expires_at: new Date(Date.now() + 7_200_000).toISOString(),
  ...given,
});

/** An access token as ours are, but for what is given; undefined leaves a claim out. */
function forge(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  sign = key.privateKey,
): string {
  const payload = {
    ...{ sub: randomUUID(), sid: randomUUID(), jti: randomUUID(), role: "user", user_type: "user" },
    ...{
      token_use: "access",
      iss: "latchkey",
      aud: "latchkey-api",
      exp: Math.floor(Date.now() / 1000) + 3600,
    },
    ...claims,
  };
  return jwt.sign(JSON.parse(JSON.stringify(payload)) as object, sign, {
    algorithm: "ES256",
    header: { alg: "ES256", typ: "at+jwt", kid: "one", ...header },
  });
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

test("a user's access token carries the contract's claims and no more", () => {
  const given = session();
  const { access_token, access_token_expires_at } = tokens.sign(given);
  expect(jwt.decode(access_token, { complete: true })).toMatchObject({
    header: { alg: "ES256", typ: "at+jwt", kid: "one" },
  });
  const claims = jwt.decode(access_token) as Record<string, unknown>;
  expect(claims).toEqual({
    iat: expect.any(Number) as number,
    iss: "latchkey",
    aud: "latchkey-api",
    sub: given.user_id,
    sid: given.session_id,
    role: "user",
    user_type: "user",
    token_use: "access",
    jti: given.access_token_id,
    exp: Math.floor(Date.parse(given.access_token_expires_at) / 1000),
    "https://hasura.io/jwt/claims": {
      "x-hasura-default-role": "user",
      "x-hasura-allowed-roles": ["user"],
      "x-hasura-user-id": given.user_id,
      "x-hasura-session-id": given.session_id,
    },
  });
  expect(new Date(access_token_expires_at).getTime() / 1000).toBe(claims.exp);
});

test("a guest's token is about its session and names no user", () => {
  const guest = session({ user_id: null, user_type: "guest", role: "guest" });
  const claims = jwt.decode(tokens.sign(guest).access_token) as Record<string, unknown>;
  expect(claims).toMatchObject({ sub: guest.session_id, role: "guest", user_type: "guest" });
  expect(claims["https://hasura.io/jwt/claims"]).toEqual({
    "x-hasura-default-role": "guest",
    "x-hasura-allowed-roles": ["guest"],
    "x-hasura-session-id": guest.session_id,
  });
});

test("a refresh token is for us alone and has nothing for Hasura", () => {
  const given = session();
  const decoded = jwt.decode(tokens.sign(given).refresh_token, { complete: true });
  expect(decoded).toMatchObject({
    header: { typ: "JWT" },
    payload: { aud: "latchkey", token_use: "refresh", jti: given.refresh_token_id },
  });
  expect(decoded?.payload).not.toHaveProperty("https://hasura.io/jwt/claims");
});

test.each([
  ["where it was signed", tokens],
  ["elsewhere", elsewhere],
])("a token is good for its own use only, %s", (_, { verify }) => {
  const given = session();
  const { session_id: sid, access_token_id, refresh_token_id } = given;
  const { access_token, refresh_token } = tokens.sign(given);
  expect(verify(access_token, "access")).toMatchObject({ claims: { sid, jti: access_token_id } });
  expect(verify(refresh_token, "refresh")).toMatchObject({ claims: { sid, jti: refresh_token_id } });
  expect(verify(refresh_token, "access")).toEqual(invalid);
  expect(verify(access_token, "refresh")).toEqual(invalid);
});

test("the forger below makes good tokens, where nothing is wrong", () => {
  expect(elsewhere.verify(forge(), "access")).toHaveProperty("claims");
});

test.each([
  ["a foreign issuer", { iss: "another" }, {}],
  ["no issuer", { iss: undefined }, {}],
  ["a foreign audience", { aud: "another" }, {}],
  ["the refresh tokens' audience", { aud: "latchkey" }, {}],
  ["no audience", { aud: undefined }, {}],
  ["no end", { exp: undefined }, {}],
  ["no session", { sid: undefined }, {}],
  ["a session that is no UUID", { sid: "1' or true --" }, {}],
  ["a session of another type", { sid: 7 }, {}],
  ["no id", { jti: undefined }, {}],
  ["an id that is no UUID", { jti: "latest" }, {}],
  ["no use", { token_use: undefined }, {}],
  ["another use", { token_use: "refresh" }, {}],
  ["a beginning in the future", { nbf: Math.floor(Date.now() / 1000) + 3600 }, {}],
  ["the header of a refresh token", {}, { typ: "JWT" }],
  ["no type in its header", {}, { typ: undefined }],
  ["an unknown key id", {}, { kid: "two" }],
  ["no key id", {}, { kid: undefined }],
  ["the key id of an object's own", {}, { kid: "constructor" }],
])("a token with %s is invalid, though our key signed it", (_what, claims, header) => {
  expect(elsewhere.verify(forge(claims, header), "access")).toEqual(invalid);
});

test("a token of another key under our key id is invalid", () => {
  expect(elsewhere.verify(forge({}, {}, createSigningKey("one").privateKey), "access")).toEqual(invalid);
});

test("a token that brings its own key is invalid", () => {
  const stranger = createSigningKey("one");
  const jwk = stranger.publicKey.export({ format: "jwk" });
  expect(elsewhere.verify(forge({}, { jwk }, stranger.privateKey), "access")).toEqual(invalid);
});

test("an unsigned token is invalid, and so is one signed with our public key as a secret", () => {
  const payload = forge().split(".")[1]!;
  const none = `${encode({ alg: "none", typ: "at+jwt", kid: "one" })}.${payload}.`;
  expect(elsewhere.verify(none, "access")).toEqual(invalid);
  for (const format of ["pem", "der"] as const) {
    const secret = key.publicKey.export({ format, type: "spki" } as { format: "pem"; type: "spki" });
    const signed = `${encode({ alg: "HS256", typ: "at+jwt", kid: "one" })}.${payload}`;
    const signature = createHmac("sha256", secret).update(signed).digest("base64url");
    expect(elsewhere.verify(`${signed}.${signature}`, "access")).toEqual(invalid);
  }
});

test("a token whose payload, header or signature was altered is invalid", () => {
  const [header, payload, signature] = forge().split(".") as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  const altered = [
    `${header}.${encode({ ...claims, role: "admin" })}.${signature}`,
    `${encode({ alg: "ES256", typ: "at+jwt", kid: "one", x: 1 })}.${payload}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`,
    `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
  ];
  expect(altered.map((token) => elsewhere.verify(token, "access"))).toEqual(altered.map(() => invalid));
});

test.each(["", ".", "..", "...", "a.b.c", "null.null.null", "bm90IGpzb24.e30.AA"])(
  "%j is no token and no crash",
  (token) => {
    expect(elsewhere.verify(token, "access")).toEqual(invalid);
  },
);

test("an expired token is reported as expired only if its signature is valid", () => {
  const exp = Math.floor(Date.now() / 1000) - 1;
  expect(elsewhere.verify(forge({ exp }), "access")).toEqual({ fault: "token_expired" });
  expect(elsewhere.verify(forge({ exp }, {}, createSigningKey("one").privateKey), "access")).toEqual(invalid);
});

test("a token longer than any of ours is not even parsed", () => {
  const long = forge({ padding: "x".repeat(4096) });
  expect(jwt.verify(long, key.publicKey)).toBeTruthy();
  expect(elsewhere.verify(long, "access")).toEqual(invalid);
});

test("of two live keys the first signs and both verify, so that a key is replaced without losing a token", () => {
  const next = createSigningKey("two");
  const before = tokens.sign(session()).access_token;
  const during = createTokens({ ...settings, keys: [next, key] });
  expect(during.verify(before, "access")).toHaveProperty("claims");
  const signed = during.sign(session()).access_token;
  expect(jwt.decode(signed, { complete: true })?.header.kid).toBe("two");

  const after = createTokens({ ...settings, keys: [next] });
  expect(after.verify(signed, "access")).toHaveProperty("claims");
  expect(after.verify(before, "access")).toEqual(invalid);
});
