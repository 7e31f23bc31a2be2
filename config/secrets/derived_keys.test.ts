import { expect, test } from "vitest";
import { production } from "../../testing/service/environments.ts";
import { serverConfig, workerConfig } from "../config.ts";

const otherPepper = Buffer.from("another pepper of thirty-two byt").toString("base64");

test("two different keys are derived from the pepper", () => {
  const { passwordKey, codeKey, HASH_PEPPER } = serverConfig(production);
  const keys = [passwordKey, codeKey, HASH_PEPPER].map((key) => key.toString("base64"));
  expect(new Set(keys).size).toBe(3);
  expect([passwordKey.length, codeKey.length]).toEqual([32, 32]);
  const other = serverConfig({ ...production, HASH_PEPPER: otherPepper });
  expect(other.passwordKey).not.toEqual(passwordKey);
  expect(other.codeKey).not.toEqual(codeKey);
});

test("the worker has the server's code key, and never the password key", () => {
  const worker = workerConfig(production);
  expect(worker.codeKey).toEqual(serverConfig(production).codeKey);
  expect(worker).not.toHaveProperty("passwordKey");
});

test("the pepper's fingerprint is the same for server and worker, another for each pepper, and none of the keys", () => {
  const { passwordKey, codeKey, HASH_PEPPER, pepperFingerprint } = serverConfig(production);
  expect(workerConfig(production).pepperFingerprint).toEqual(pepperFingerprint);
  // The fingerprint is stored in the database, which must not be able to compute a key or the pepper from it.
  for (const key of [passwordKey, codeKey, HASH_PEPPER]) expect(pepperFingerprint).not.toEqual(key);
  const other = { ...production, HASH_PEPPER: otherPepper };
  for (const createConfig of [serverConfig, workerConfig])
    expect(createConfig(other).pepperFingerprint).not.toEqual(pepperFingerprint);
});

test("the derived keys never change: stored hashes depend on them", () => {
  const { passwordKey, codeKey } = serverConfig({
    ...production,
    NODE_ENV: "test",
    HASH_PEPPER: Buffer.alloc(32, 7).toString("base64"),
  });
  expect(passwordKey.toString("hex")).toBe("72303657d8409cb0277e0b5df4d0b7e2449c4b98b52641022e9f95bc1cb1b84e");
  expect(codeKey.toString("hex")).toBe("dd085710dee72ec9f5a57681b2485c9e3a890f9965e9ece5350f7139846eb1b8");
});
