import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { createJwk } from "../../testing/service/test_keys.ts";
import { createSigningKeys, parseSigningKeys } from "./signing_keys.ts";

const schema = z.string().transform(parseSigningKeys);
const parse = (keys: unknown) => schema.safeParse(JSON.stringify({ keys }));

test("a set of P-256 keys is parsed in its order, with the public keys", () => {
  const { data } = parse([createJwk("new"), createJwk("old")]);
  expect(data?.map(({ kid }) => kid)).toEqual(["new", "old"]);
  for (const { privateKey, publicKey } of data ?? []) {
    expect([privateKey.type, publicKey.type]).toEqual(["private", "public"]);
    expect(publicKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  }
});

test("createSigningKeys creates a valid set with a new key each time", () => {
  const [one, other] = [createSigningKeys(), createSigningKeys()];
  expect(schema.safeParse(one).data).toHaveLength(1);
  expect(one).not.toBe(other);
});

/** @param modulusLength in bits */
function createRsaJwk(modulusLength: number): Record<string, unknown> {
  return { ...generateKeyPairSync("rsa", { modulusLength }).privateKey.export({ format: "jwk" }), kid: "rsa" };
}

test("a set may mix P-256 and RSA keys: each has its algorithm, and the first signs", () => {
  const { data } = parse([createRsaJwk(2048), createJwk("ec")]);
  expect(data?.map(({ kid, algorithm }) => [kid, algorithm])).toEqual([
    ["rsa", "RS256"],
    ["ec", "ES256"],
  ]);
  expect(schema.safeParse(createSigningKeys("RS256")).data?.map(({ algorithm }) => algorithm)).toEqual(["RS256"]);
});

const validKey = createJwk("one");
const publicHalf = { ...validKey, d: undefined };
const rsa = createRsaJwk(2048);
const ed25519 = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });

test.each<[string, string]>([
  ["no JSON", "{"],
  ["no set", JSON.stringify(validKey)],
  ["an array", JSON.stringify([validKey])],
  ["an empty set", JSON.stringify({ keys: [] })],
  ["nothing", "null"],
  ...(
    [
      ["two keys of one id", [validKey, createJwk("one")]],
      ["a key without an id", [{ ...validKey, kid: undefined }]],
      ["an empty id", [{ ...validKey, kid: "" }]],
      ["a public key", [publicHalf]],
      ["a good key and a public one", [validKey, { ...publicHalf, kid: "two" }]],
      ["a key of another curve", [createJwk("one", "P-384")]],
      ["a key of another curve under this one's name", [{ ...createJwk("one", "P-384"), crv: "P-256" }]],
      ["an RSA key of 1024 bits", [createRsaJwk(1024)]],
      ["a public RSA key", [{ ...rsa, d: undefined }]],
      ["an RSA key without its primes", [{ ...rsa, p: undefined, q: undefined }]],
      ["halves of two RSA keys", [{ ...createRsaJwk(2048), n: rsa.n }]],
      ["an Ed25519 key", [{ ...ed25519, kid: "one" }]],
      ["a secret", [{ kty: "oct", k: "AAAA", kid: "one" }]],
      ["a point that is not on the curve", [{ ...validKey, x: createJwk("two").x }]],
      ["halves of two keys", [{ ...validKey, d: createJwk("two").d }]],
    ] as [string, unknown][]
  ).map(([what, keys]): [string, string] => [what, JSON.stringify({ keys })]),
])("%s is rejected with a message that quotes nothing of it", (_what, text) => {
  const { error } = schema.safeParse(text);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'must be a private JWK set {"keys": […]} of EC P-256 keys, or RSA keys of 2048 to 4096 bits, each with its own kid',
  ]);
});
