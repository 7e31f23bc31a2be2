import { expect, test } from "vitest";
import { configError, production } from "../../testing/service/environments.ts";
import { serverConfig, workerConfig } from "../config.ts";

const otherPepper = Buffer.from("another pepper of thirty-two byt").toString("base64");

test("two different keys are derived from the pepper", () => {
  const { passwordKeys, codeKey, HASH_PEPPER } = serverConfig(production);
  const [passwordKey] = passwordKeys.map(({ key }) => key);
  const keys = [passwordKey, codeKey.subarray(8), ...HASH_PEPPER].map((key) => key?.toString("base64"));
  expect(new Set(keys).size).toBe(3);
  expect([passwordKey?.length, codeKey.length]).toEqual([32, 8 + 32]);
  const other = serverConfig({ ...production, HASH_PEPPER: otherPepper });
  expect(other.passwordKeys[0]?.key).not.toEqual(passwordKey);
  expect(other.codeKey.subarray(8)).not.toEqual(codeKey.subarray(8));
});

test("the worker has the server's code key, and never the password key", () => {
  const worker = workerConfig(production);
  expect(worker.codeKey).toEqual(serverConfig(production).codeKey);
  expect(worker).not.toHaveProperty("passwordKeys");
});

test("the pepper's fingerprint is the same for server and worker, another for each pepper, and none of the keys", () => {
  const { passwordKeys, codeKey, HASH_PEPPER, pepperFingerprints } = serverConfig(production);
  expect(workerConfig(production).pepperFingerprints).toEqual(pepperFingerprints);
  // The fingerprint is stored in the database, which must not be able to compute a key or the pepper from it.
  for (const key of [...passwordKeys.map(({ key }) => key), codeKey.subarray(8), ...HASH_PEPPER])
    expect(pepperFingerprints).not.toContainEqual(key);
  const other = { ...production, HASH_PEPPER: otherPepper };
  for (const createConfig of [serverConfig, workerConfig])
    expect(createConfig(other).pepperFingerprints).not.toEqual(pepperFingerprints);
});

test("the derived keys never change: stored hashes depend on them", () => {
  const { passwordKeys, codeKey } = serverConfig({
    ...production,
    NODE_ENV: "test",
    HASH_PEPPER: Buffer.alloc(32, 7).toString("base64"),
  });
  expect(passwordKeys[0]?.key.toString("hex")).toBe("72303657d8409cb0277e0b5df4d0b7e2449c4b98b52641022e9f95bc1cb1b84e");
  expect(codeKey.subarray(8).toString("hex")).toBe("dd085710dee72ec9f5a57681b2485c9e3a890f9965e9ece5350f7139846eb1b8");
});

test("while the pepper is rotated there are keys of both, the current one's first, each with its pepper's id", () => {
  const pepper = String(production.HASH_PEPPER);
  const both = serverConfig({ ...production, HASH_PEPPER: `${otherPepper}, ${pepper}` });
  const [one, other] = [pepper, otherPepper].map((HASH_PEPPER) => serverConfig({ ...production, HASH_PEPPER }));
  if (!one || !other) expect.fail("no configuration");
  expect(both.passwordKeys).toEqual([...other.passwordKeys, ...one.passwordKeys]);
  expect(both.factorKeys).toEqual([...other.factorKeys, ...one.factorKeys]);
  expect(both.pepperFingerprints).toEqual([...other.pepperFingerprints, ...one.pepperFingerprints]);
  expect(both.codeKey).toEqual(Buffer.concat([other.codeKey, one.codeKey]));
  expect(one.codeKey.subarray(0, 8).toString("hex")).toBe(one.passwordKeys[0]?.pepperId);
  expect(one.passwordKeys[0]?.pepperId).toBe(one.pepperFingerprints[0]?.subarray(0, 8).toString("hex"));
});

test.each([
  [
    "a third pepper",
    (a: string, b: string) => `${a},${b},${Buffer.alloc(40, "third").toString("base64")}`,
    "at most two peppers",
  ],
  ["one pepper twice", (a: string) => `${a},${a}`, "must not name one pepper twice"],
  ["an empty second one", (a: string) => `${a},`, "must be 32 bytes or more in base64"],
  ["a short second one", (a: string) => `${a},c2hvcnQ=`, "must be 32 bytes or more in base64"],
  [
    "a weak second one",
    (a: string) => `${a},${Buffer.alloc(32, 7).toString("base64")}`,
    "at least 8 of them different",
  ],
])("%s is refused, and not repeated", (_what, join, sentence) => {
  const HASH_PEPPER = join(String(production.HASH_PEPPER), otherPepper);
  for (const createConfig of [serverConfig, workerConfig]) {
    const message = configError(createConfig, { ...production, HASH_PEPPER });
    expect(message).toMatch(/^[^\n]*\n {2}HASH_PEPPER: [^\n]*$/);
    expect(message).toContain(sentence);
    for (const part of HASH_PEPPER.split(",").filter(Boolean)) expect(message).not.toContain(part);
  }
});
