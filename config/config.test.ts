import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { production, configError, urls } from "../testing/environments.ts";
import { migratorConfig, serverConfig, workerConfig } from "./config.ts";
import { type Environment } from "./environment.ts";

const configs = { server: serverConfig, worker: workerConfig, migrator: migratorConfig };

test("a complete environment is accepted, and its configuration is frozen", () => {
  const config = serverConfig({
    ...production,
    PORT: "8080",
    CORS_ORIGINS: "https://a.example, https://b.example",
  });
  expect(config).toMatchObject({
    PORT: 8080,
    production: true,
    JWT_ISSUER: "latchkey",
    JWT_AUDIENCE: "latchkey-api",
    TRUST_PROXY: false,
    CORS_ORIGINS: ["https://a.example", "https://b.example"],
    directUrl: urls.SERVER_DATABASE_URL,
  });
  for (const createConfig of Object.values(configs))
    expect(Object.isFrozen(createConfig(production))).toBe(true);
});

test("every invalid variable is reported at once, by its name and without its value", () => {
  const bad = {
    PORT: "bad-port",
    LOG_LEVEL: "bad-level",
    ADMIN_SECRET: "bad-secret",
    HASH_PEPPER: "bad-pepper!",
    JWT_KEYS: "bad-keys",
    SERVER_DATABASE_URL: "https://bad-password@db",
    SERVER_DATABASE_DIRECT_URL: "bad-address",
    TRUST_PROXY: "true",
  };
  const message = configError(serverConfig, { ...production, ...bad });
  for (const name of Object.keys(bad)) expect(message).toContain(`\n  ${name}: `);
  expect(message.split("\n")).toHaveLength(1 + Object.keys(bad).length);
  expect(message).not.toMatch(/bad-/);
});

test.each([
  ["server", ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "HASH_PEPPER", "JWT_KEYS", "ADMIN_SECRET"]],
  ["worker", ["WORKER_DATABASE_URL", "HASH_PEPPER"]],
  ["migrator", ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"]],
] as const)("in production the %s creates no secret, and lists each that is missing", (process, names) => {
  const home = temporaryFolder();
  const env: Environment = {
    NODE_ENV: "production",
    LATCHKEY_HOME: home,
    DATABASE_URL: urls.DATABASE_URL,
  };
  const message = configError(configs[process], env);
  for (const name of names) expect(message).toContain(`\n  ${name} is not set: `);
  expect(message.split("\n")).toHaveLength(1 + names.length);
  expect(readdirSync(home)).toEqual([]);
});

test("the error for a missing secret says how to generate one", () => {
  const message = configError(serverConfig, { NODE_ENV: "production", LATCHKEY_HOME: temporaryFolder() });
  for (const line of [
    "ADMIN_SECRET is not set: generate one with: openssl rand -base64 32 (ADMIN_SECRET_FILE may name a file",
    "HASH_PEPPER is not set: generate one with: openssl rand -base64 32, or restore the one",
    "JWT_KEYS is not set: generate a key set with: npm run --silent make:jwt-keys",
    "SERVER_DATABASE_URL is not set: set it to postgres://latchkey_server:<password>@<host>:5432/<database>",
  ])
    expect(message).toContain(line);
  expect(message).not.toMatch(/undefined|received|expected/);
});

test.each([
  ["PORT", "http", "must be a whole number from 0 to 65535"],
  ["PORT", "65536", "must be a whole number from 0 to 65535"],
  ["GRAPHQL_BUDGET_MS", "fast", "must be a whole number from 1 to 1000"],
  ["CORS_ORIGINS", "*", "must not contain *: list each origin"],
  ["CORS_ORIGINS", "https://a.example, *", "must not contain *: list each origin"],
  ["CORS_ORIGINS", "example.com", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://a.example,example.com", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://a.example/", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://A.example", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://a.example:443", "must be origins such as https://app.example.com"],
  ["CORS_ORIGINS", "https://*.a.example", "must not contain *: list each origin"],
  ["CORS_ORIGINS", "null", "must be origins such as https://app.example.com"],
])("%s=%s is rejected: %s", (name, value, sentence) => {
  expect(configError(serverConfig, { ...production, [name]: value })).toContain(`\n  ${name}: ${sentence}`);
});

test("origins with another port are accepted", () => {
  const CORS_ORIGINS = "http://localhost:5173,https://a.example:8443";
  expect(serverConfig({ ...production, CORS_ORIGINS }).CORS_ORIGINS).toEqual(CORS_ORIGINS.split(","));
});

test.each(["https://sms.example", "sms.example:443", "sms.example/send", "SMS.example", "sms.example,", "*"])(
  "SMS_HTTP_HOSTS=%s, which would match no host, is rejected",
  (value) => {
    expect(configError(workerConfig, { ...production, SMS_HTTP_HOSTS: value })).toContain(
      "\n  SMS_HTTP_HOSTS: must be host names such as sms.example.com",
    );
  },
);

test("the error of a migrator without DATABASE_URL mentions npm start", () => {
  expect(configError(migratorConfig, { NODE_ENV: "production" })).toMatch(
    /^DATABASE_URL is not set: .*npm start/,
  );
});

test.each([
  ["ADMIN_SECRET", "a".repeat(31)],
  ["HASH_PEPPER", Buffer.alloc(31, 7).toString("base64")],
  ["HASH_PEPPER", "not base64 at all, however long it may be"],
  ["JWT_KEYS", '{"keys": []}'],
])("a weak %s is rejected", (name, value) => {
  expect(configError(serverConfig, { ...production, [name]: value })).toContain(`\n  ${name}: must be`);
});

test("an empty variable counts as not set", () => {
  const empty = Object.fromEntries(
    ["PORT", "HOST", "TRUST_PROXY", "JWT_ISSUER", "AUTH_WEBHOOK_SECRET", "CORS_ORIGINS", "LOG_LEVEL"].map(
      (name) => [name, ""],
    ),
  );
  expect(serverConfig({ ...production, ...empty })).toEqual(serverConfig(production));
  expect(configError(serverConfig, { ...production, ADMIN_SECRET: "" })).toContain("ADMIN_SECRET");
});

test.each([
  ["off", false],
  ["false", false],
  ["1", 1],
  ["12", 12],
  ["loopback", ["loopback"]],
  ["loopback, 10.0.0.0/8,fd00::/8, 192.0.2.7", ["loopback", "10.0.0.0/8", "fd00::/8", "192.0.2.7"]],
  ["10.0.0.0/255.0.0.0", ["10.0.0.0/255.0.0.0"]],
])("TRUST_PROXY=%s is parsed", (text, parsed) => {
  expect(serverConfig({ ...production, TRUST_PROXY: text }).TRUST_PROXY).toEqual(parsed);
});

test.each([
  ...["true", "TRUE", "yes", "0", "-1", "100", "1.5", "loopback,true", "loopback,", "10.0.0.0/33", "10.1/8"],
  ...["10.0.0.0/255.0.255.0", "proxy.example", "10.0.0.1/8/8"],
])("TRUST_PROXY=%s is rejected", (text) => {
  expect(configError(serverConfig, { ...production, TRUST_PROXY: text })).toContain("\n  TRUST_PROXY: must");
});

test("TRUST_PROXY=true is rejected with the reason", () => {
  expect(configError(serverConfig, { ...production, TRUST_PROXY: "true" })).toContain(
    "makes addresses forgeable",
  );
});

test("two different keys are derived from the pepper", () => {
  const { passwordKey, codeKey, HASH_PEPPER } = serverConfig(production);
  const keys = [passwordKey, codeKey, HASH_PEPPER].map((key) => key.toString("base64"));
  expect(new Set(keys).size).toBe(3);
  expect([passwordKey.length, codeKey.length]).toEqual([32, 32]);
  const other = serverConfig({ ...production, HASH_PEPPER: Buffer.alloc(32, 8).toString("base64") });
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
  const other = { ...production, HASH_PEPPER: Buffer.alloc(32, 8).toString("base64") };
  for (const createConfig of [serverConfig, workerConfig])
    expect(createConfig(other).pepperFingerprint).not.toEqual(pepperFingerprint);
});

test("in production DRAIN_DELAY_MS is five seconds by default, elsewhere 0", () => {
  expect(serverConfig(production).DRAIN_DELAY_MS).toBe(5_000);
  expect(serverConfig({ ...production, DRAIN_DELAY_MS: "0" }).DRAIN_DELAY_MS).toBe(0);
  expect(serverConfig({ ...production, NODE_ENV: "test" }).DRAIN_DELAY_MS).toBe(0);
});

test("the derived keys never change: stored hashes depend on them", () => {
  const { passwordKey, codeKey } = serverConfig(production);
  expect(passwordKey.toString("hex")).toBe(
    "72303657d8409cb0277e0b5df4d0b7e2449c4b98b52641022e9f95bc1cb1b84e",
  );
  expect(codeKey.toString("hex")).toBe("dd085710dee72ec9f5a57681b2485c9e3a890f9965e9ece5350f7139846eb1b8");
});

test("the error for an invalid DATABASE_URL names the variable and does not repeat its value", () => {
  const env = { LATCHKEY_HOME: temporaryFolder(), DATABASE_URL: "host=db password=s3cret" };
  for (const createConfig of Object.values(configs)) {
    const message = configError(createConfig, env);
    expect(message).toContain("DATABASE_URL: must be a postgres:// address");
    expect(message).not.toContain("s3cret");
  }
});
