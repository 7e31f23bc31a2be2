import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "pg-connection-string";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { production, configError, secrets, urls } from "../../testing/service/environments.ts";
import { graphqlConfig, serverConfig, workerConfig } from "../config.ts";
import { type Environment } from "../environment.ts";

test("a secret may be in a file; a newline at its end is ignored", () => {
  const folder = temporaryFolder();
  const files = Object.entries({
    ...secrets,
    SERVER_DATABASE_URL: urls.SERVER_DATABASE_URL,
    GRAPHQL_DATABASE_URL: urls.GRAPHQL_DATABASE_URL,
  });
  const env: Environment = { NODE_ENV: "production" };
  for (const [name, value] of files) {
    const path = join(folder, name);
    writeFileSync(path, `${value}\n`);
    env[`${name}_FILE`] = path;
  }
  const { JWT_KEYS: keys, ...config } = serverConfig(env);
  const { JWT_KEYS: expectedKeys, ...expectedConfig } = serverConfig(production);
  expect(config).toEqual(expectedConfig);
  expect(keys.map(({ kid }) => kid)).toEqual(expectedKeys.map(({ kid }) => kid));
});

test("the error for a secret's file that cannot be read, or is empty, names the variable", () => {
  const folder = temporaryFolder();
  const errorFor = (path: string) =>
    configError(graphqlConfig, { ...production, ADMIN_SECRET: undefined, ADMIN_SECRET_FILE: path });
  expect(errorFor(join(folder, "missing"))).toMatch(/^ {2}ADMIN_SECRET_FILE names a file that cannot be read: ENOENT/m);
  expect(errorFor(folder)).toMatch(/^ {2}ADMIN_SECRET_FILE names a file that cannot be read: EISDIR/m);
  writeFileSync(join(folder, "empty"), "\n");
  expect(errorFor(join(folder, "empty"))).toContain("\n  ADMIN_SECRET_FILE names an empty file");
});

test("every file that cannot be read, and every secret that is set twice, is reported at once", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "key"), "another pepper");
  const message = configError(serverConfig, {
    ...production,
    HASH_PEPPER_FILE: join(folder, "key"),
    JWT_KEYS: "",
    JWT_KEYS_FILE: join(folder, "missing"),
    PORT: "http",
  });
  const lines = message.split("\n").slice(1);
  expect(lines).toHaveLength(3);
  expect(message).toContain("\n  HASH_PEPPER and HASH_PEPPER_FILE are both set: unset one of them");
  expect(message).toContain("\n  JWT_KEYS_FILE names a file that cannot be read: ENOENT");
  expect(message).toContain("\n  PORT: must be");
});

test.each([
  ["ADMIN_SECRET", "a".repeat(64), "32 characters", graphqlConfig],
  ["ADMIN_SECRET", "abcdefg".repeat(9), "32 characters", graphqlConfig],
  ["AUTH_WEBHOOK_SECRET", "a secret of some 30 characters", "32 characters", graphqlConfig],
  ["AUTH_WEBHOOK_SECRET", "a secret of some 30 characters", "32 characters", serverConfig],
  ["AUTH_WEBHOOK_SECRET", "-".repeat(64), "32 characters", serverConfig],
  ["HASH_PEPPER", Buffer.alloc(64, 7).toString("base64"), "32 bytes", serverConfig],
])("a weak %s is rejected in production, and accepted elsewhere", (name, value, minimum, createConfig) => {
  const env = { ...production, [name]: value };
  expect(configError(createConfig, env)).toBe(
    `The environment is invalid:\n  ${name}: must be ${minimum} or more, at least 8 of them different`,
  );
  expect(() => createConfig({ ...env, NODE_ENV: "test" })).not.toThrow();
});

test("a weak signing key of webhooks is rejected in production", () => {
  const SMS_HTTP_SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  expect(configError(workerConfig, { ...production, SMS_HTTP_SIGNING_SECRET })).toContain(
    "SMS_HTTP_SIGNING_SECRET: must be 24 bytes or more, at least 8 of them different",
  );
});

test("outside production missing secrets are created once, readable for their owner only, and used again", () => {
  const env = { LATCHKEY_HOME: join(temporaryFolder(), "home"), DATABASE_URL: urls.DATABASE_URL };
  const [first, second] = [serverConfig(env), serverConfig(env)];
  const kids = ({ JWT_KEYS }: typeof first) => JWT_KEYS.map(({ kid }) => kid);
  expect({ ...second, JWT_KEYS: kids(second) }).toEqual({ ...first, JWT_KEYS: kids(first) });
  expect(parse(first.SERVER_DATABASE_URL)).toMatchObject({ user: "latchkey_server", host: "db" });
  expect(graphqlConfig(env)).toEqual(graphqlConfig(env));

  const folder = join(env.LATCHKEY_HOME, "secrets");
  const files = readdirSync(folder);
  expect(files.sort()).toEqual([
    "ADMIN_SECRET",
    "HASH_PEPPER",
    "JWT_KEYS",
    "latchkey_graphql.password",
    "latchkey_server.password",
  ]);
  for (const file of files) expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(folder, "ADMIN_SECRET"), "utf8").length).toBeGreaterThanOrEqual(32);
});

test("two homes have different secrets, and a secret from the environment is not stored", () => {
  const home = () => ({ LATCHKEY_HOME: temporaryFolder(), DATABASE_URL: urls.DATABASE_URL });
  const [one, other] = [home(), home()];
  expect(graphqlConfig(one).ADMIN_SECRET!).not.toBe(graphqlConfig(other).ADMIN_SECRET);
  expect(serverConfig(one).passwordKeys).not.toEqual(serverConfig(other).passwordKeys);
  const env = { ...home(), ...secrets };
  serverConfig(env);
  expect(readdirSync(join(env.LATCHKEY_HOME, "secrets")).filter((name) => name in secrets)).toEqual([]);
});

test("the error for a home that cannot store secrets names it", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  chmodSync(folder, 0o755);
  const home = join(folder, "file");
  expect(configError(serverConfig, { LATCHKEY_HOME: home })).toContain(`Cannot store a secret in ${home}: ENOTDIR`);
});
