import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { scramVerifier } from "./scram.ts";

// Checks a password as a SCRAM server does. embedded/owned_database.test.ts checks verifiers with PostgreSQL itself.
function accepts(verifier: string, password: string): boolean {
  const [, iterations, salt, storedKey] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):(.+)$/.exec(verifier) ?? [];
  const salted = pbkdf2Sync(password, Buffer.from(salt!, "base64"), Number(iterations), 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  return createHash("sha256").update(clientKey).digest("base64") === storedKey;
}

test("a verifier has PostgreSQL's form and accepts only its own password", () => {
  const verifier = scramVerifier("correct horse");
  expect(verifier).toMatch(/^SCRAM-SHA-256\$4096:[\w+/]{22}==\$[\w+/]{43}=:[\w+/]{43}=$/);
  expect(accepts(verifier, "correct horse")).toBe(true);
  expect(accepts(verifier, "correct horsf")).toBe(false);
});

test("every verifier has its own salt and none shows the password", () => {
  const [one, other] = [scramVerifier("correct horse"), scramVerifier("correct horse")];
  expect(one).not.toBe(other);
  expect(one).not.toContain("correct");
});

test("a password is normalized as the clients normalize it", () => {
  expect(accepts(scramVerifier("\uFB01x\u00A0y\u00AD"), "fix y")).toBe(true);
});

test("an empty password is refused", () => {
  expect(() => scramVerifier("")).toThrow("must not be empty");
});
