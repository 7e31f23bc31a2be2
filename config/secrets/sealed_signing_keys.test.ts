import { expect, test } from "vitest";
import { encryptionKeysOf } from "../keys_config.ts";
import { createSealedSigningKey, openSigningKey } from "./sealed_signing_keys.ts";

const keysOf = (...secrets: string[]) => encryptionKeysOf(secrets.map((secret) => Buffer.from(secret)));
const keys = keysOf("a key that encrypts signing keys");

test("a key that was sealed opens again, also once its KEY_ENCRYPTION_KEY is the previous one", () => {
  const sealed = createSealedSigningKey(keys, "ES256");
  expect(sealed.sealed_key.toString("latin1")).not.toMatch(/kty|"d"/);
  expect(openSigningKey(keys, sealed).kid).toBe(sealed.kid);
  const rotated = keysOf("another key for the signing keys", "a key that encrypts signing keys");
  expect(openSigningKey(rotated, sealed).kid).toBe(sealed.kid);
  expect(() => openSigningKey(keysOf("another key for the signing keys"), sealed)).toThrow(
    /is not the one of this server\./,
  );
});

test("no byte of a sealed key can be changed, none can be cut off, and it opens under its own name alone", () => {
  const sealed = createSealedSigningKey(keys, "ES256");
  const refused = (changed: Partial<typeof sealed>) =>
    expect(() => openSigningKey(keys, { ...sealed, ...changed })).toThrow(
      `the signing key ${changed.kid ?? sealed.kid} was changed since it was encrypted: retire it`,
    );
  for (const index of sealed.sealed_key.keys()) {
    const changed = Buffer.from(sealed.sealed_key);
    changed[index]! ^= 1;
    refused({ sealed_key: changed });
  }
  for (const length of [0, 11, 12, 27, 28, sealed.sealed_key.length - 1])
    refused({ sealed_key: sealed.sealed_key.subarray(0, length) });
  const { kid } = createSealedSigningKey(keys, "ES256");
  refused({ kid });
});
