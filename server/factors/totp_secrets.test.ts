import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { otpauthUri, toBase32 } from "./otpauth_uri.ts";
import { createTotpSecrets } from "./totp_secrets.ts";

const createKey = () => ({ pepperId: randomBytes(8).toString("hex"), key: randomBytes(32) });
const [current, previous] = [createKey(), createKey()];
const secrets = createTotpSecrets({ factorKeys: [current] });

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
  const other = createTotpSecrets({ factorKeys: [previous] });
  expect(() => other.open("ada", secrets.make("ada"))).toThrow(
    `encrypted under pepper ${current.pepperId}, and HASH_PEPPER names ${previous.pepperId}`,
  );
});

test("a secret of the previous pepper opens, and comes with itself under the current one", () => {
  const sealed = createTotpSecrets({ factorKeys: [previous] }).make("ada");
  const both = createTotpSecrets({ factorKeys: [current, previous] });
  const opened = both.openToUse("ada", sealed);
  expect(opened.subarray(0, 20)).toEqual(both.open("ada", sealed));
  expect(opened.subarray(20, 28).toString("hex")).toBe(current.pepperId);
  const again = { sealed_secret: opened.subarray(28), pepper_id: current.pepperId };
  expect(secrets.open("ada", again)).toEqual(opened.subarray(0, 20));
  expect(() => secrets.open("bob", again)).toThrow("authenticate");
  expect(both.openToUse("ada", again)).toEqual(opened.subarray(0, 20));
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
