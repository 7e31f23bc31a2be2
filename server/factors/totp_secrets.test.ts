import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { otpauthUri, toBase32 } from "./otpauth_uri.ts";
import { createTotpSecrets } from "./totp_secrets.ts";

const keys = { factorKey: randomBytes(32), pepperFingerprint: randomBytes(32) };
const secrets = createTotpSecrets(keys);

test("a secret opens for its user alone, and unchanged alone", () => {
  const sealed = secrets.make("ada");
  const secret = secrets.open("ada", sealed);
  expect(secret).toHaveLength(20);
  expect(sealed.sealed_secret.includes(secret)).toBe(false);
  expect(() => secrets.open("bob", sealed)).toThrow("authenticate");
  const changed = Buffer.from(sealed.sealed_secret);
  changed[20]! ^= 1;
  expect(() => secrets.open("ada", { ...sealed, sealed_secret: changed })).toThrow("authenticate");
});

test("a secret under another pepper says so", () => {
  const other = createTotpSecrets({ ...keys, pepperFingerprint: randomBytes(32) });
  expect(() => other.open("ada", secrets.make("ada"))).toThrow("HASH_PEPPER");
});

test("no two secrets are the same, nor sealed alike", () => {
  const made = Array.from({ length: 100 }, () => secrets.make("ada"));
  const texts = made.map((sealed) => secrets.open("ada", sealed).toString("hex"));
  expect(new Set(texts).size).toBe(100);
  expect(new Set(made.map(({ sealed_secret }) => sealed_secret.subarray(0, 12).toString("hex"))).size).toBe(100);
});

test("base 32 is that of RFC 4648", () => {
  expect(toBase32(Buffer.from("fooba"))).toBe("MZXW6YTB");
  expect(toBase32(Buffer.from("12345678901234567890"))).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

test("an address as issuer loses its scheme, and a name cannot break the label apart", () => {
  expect(otpauthUri("https://auth.example.com", "+12125550123", "ABC")).toBe(
    "otpauth://totp/auth.example.com:%2B12125550123?secret=ABC&issuer=auth.example.com",
  );
  expect(otpauthUri("a:b&c", "x:y", "ABC")).toBe("otpauth://totp/a%20b%26c:x%3Ay?secret=ABC&issuer=a%20b%26c");
});
