import { createHmac, randomUUID } from "node:crypto";
import jwt from "jsonwebtoken";
import { expect, test } from "vitest";
import { createSigningKey } from "../../testing/service/test_keys.ts";
import { elsewhere, invalid, key } from "./fixtures/token_fixtures.ts";

/** Signs an access token like ours, with these changes; undefined leaves a claim out. */
function forge(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  sign = key.privateKey,
): string {
  const payload = {
    sub: randomUUID(),
    sid: randomUUID(),
    jti: randomUUID(),
    role: "user",
    user_type: "user",
    token_use: "access",
    iss: "latchkey",
    aud: "latchkey-api",
    exp: Math.floor(Date.now() / 1000) + 3600,
    ...claims,
  };
  return jwt.sign(JSON.parse(JSON.stringify(payload)) as object, sign, {
    algorithm: "ES256",
    header: { alg: "ES256", typ: "at+jwt", kid: "one", ...header },
  });
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

test("forge() makes valid tokens when nothing is changed", () => {
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

test("a token that contains its own key is invalid", () => {
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
  "%j is refused as a token without a crash",
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
  const long = forge({ padding: "x".repeat(12_288) });
  expect(jwt.verify(long, key.publicKey)).toBeTruthy();
  expect(elsewhere.verify(long, "access")).toEqual(invalid);
});
