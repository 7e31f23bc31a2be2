import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { makeJwk } from "../testing/signing_keys.ts";
import { migratorConfig, serverConfig, workerConfig } from "./config.ts";
import { OperatorError, type Environment } from "./environment.ts";

const secrets = {
  ADMIN_SECRET: "a".repeat(32),
  HASH_PEPPER: Buffer.alloc(32, 7).toString("base64"),
  JWT_KEYS: JSON.stringify({ keys: [makeJwk("one")] }),
};
const urls = {
  DATABASE_URL: "postgres://migrator:m-word@db/latchkey",
  SERVER_DATABASE_URL: "postgres://latchkey_server:s-word@db/latchkey",
  GRAPHQL_DATABASE_URL: "postgres://latchkey_graphql:g-word@db/latchkey",
  WORKER_DATABASE_URL: "postgres://latchkey_worker:w-word@db/latchkey",
};
const production: Environment = { NODE_ENV: "production", ...secrets, ...urls };

const makers = { server: serverConfig, worker: workerConfig, migrator: migratorConfig };

/** The message with which a configuration is refused. */
function refusal(make: (env: Environment) => unknown, env: Environment): string {
  try {
    make(env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message;
  }
  throw new Error("it was accepted");
}

test("a complete environment is taken as it is, and its configuration cannot be changed", () => {
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
  for (const make of Object.values(makers)) expect(Object.isFrozen(make(production))).toBe(true);
});

test("every fault is reported at once, each by its name and none with its value", () => {
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
  const message = refusal(serverConfig, { ...production, ...bad });
  for (const name of Object.keys(bad)) expect(message).toContain(`\n  ${name}: `);
  expect(message.split("\n")).toHaveLength(1 + Object.keys(bad).length);
  expect(message).not.toMatch(/bad-/);
});

test.each([
  ["server", ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "HASH_PEPPER", "JWT_KEYS", "ADMIN_SECRET"]],
  ["worker", ["WORKER_DATABASE_URL", "HASH_PEPPER"]],
  ["migrator", ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"]],
] as const)(
  "in production the %s makes no secret for itself, but names each that is missing",
  (process, names) => {
    const home = temporaryFolder();
    const given: Environment = {
      NODE_ENV: "production",
      LATCHKEY_HOME: home,
      DATABASE_URL: urls.DATABASE_URL,
    };
    const message = refusal(makers[process], given);
    for (const name of names) expect(message).toContain(`\n  ${name}: `);
    expect(message.split("\n")).toHaveLength(1 + names.length);
    expect(readdirSync(home)).toEqual([]);
  },
);

test("the migrator without DATABASE_URL is told of npm start", () => {
  expect(refusal(migratorConfig, { NODE_ENV: "production" })).toContain("DATABASE_URL is not set");
});

test.each([
  ["ADMIN_SECRET", "a".repeat(31)],
  ["HASH_PEPPER", Buffer.alloc(31, 7).toString("base64")],
  ["HASH_PEPPER", "not base64 at all, however long it may be"],
  ["JWT_KEYS", '{"keys": []}'],
])("a weak %s is refused", (name, value) => {
  expect(refusal(serverConfig, { ...production, [name]: value })).toContain(`\n  ${name}: must be`);
});

test("an empty variable is one that is not set", () => {
  const empty = Object.fromEntries(
    ["PORT", "HOST", "TRUST_PROXY", "JWT_ISSUER", "AUTH_WEBHOOK_SECRET", "CORS_ORIGINS", "LOG_LEVEL"].map(
      (name) => [name, ""],
    ),
  );
  expect(serverConfig({ ...production, ...empty })).toEqual(serverConfig(production));
  expect(refusal(serverConfig, { ...production, ADMIN_SECRET: "" })).toContain("ADMIN_SECRET");
});

test("a secret may be in a file, whose last newline is not part of it", () => {
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
  const { JWT_KEYS: fromFiles, ...others } = serverConfig(env);
  const { JWT_KEYS: given, ...expected } = serverConfig(production);
  expect(others).toEqual(expected);
  expect(fromFiles.map(({ kid }) => kid)).toEqual(given.map(({ kid }) => kid));
});

test("a file of a secret that cannot be read, or holds none, is named", () => {
  const folder = temporaryFolder();
  const given = (path: string) =>
    refusal(serverConfig, { ...production, ADMIN_SECRET: undefined, ADMIN_SECRET_FILE: path });
  expect(given(join(folder, "missing"))).toMatch(
    /^ADMIN_SECRET_FILE names a file that cannot be read: ENOENT/,
  );
  expect(given(folder)).toMatch(/^ADMIN_SECRET_FILE names a file that cannot be read: EISDIR/);
  writeFileSync(join(folder, "empty"), "\n");
  expect(given(join(folder, "empty"))).toContain("\n  ADMIN_SECRET: ");
});

test.each([
  ["off", false],
  ["false", false],
  ["1", 1],
  ["12", 12],
  ["loopback", ["loopback"]],
  ["loopback, 10.0.0.0/8,fd00::/8, 192.0.2.7", ["loopback", "10.0.0.0/8", "fd00::/8", "192.0.2.7"]],
  ["10.0.0.0/255.0.0.0", ["10.0.0.0/255.0.0.0"]],
])("TRUST_PROXY=%s is understood", (given, parsed) => {
  expect(serverConfig({ ...production, TRUST_PROXY: given }).TRUST_PROXY).toEqual(parsed);
});

test.each([
  ...["true", "TRUE", "yes", "0", "-1", "100", "1.5", "loopback,true", "loopback,", "10.0.0.0/33", "10.1/8"],
  ...["10.0.0.0/255.0.255.0", "proxy.example", "10.0.0.1/8/8"],
])("TRUST_PROXY=%s is refused", (given) => {
  expect(refusal(serverConfig, { ...production, TRUST_PROXY: given })).toContain("\n  TRUST_PROXY: must");
});

test("TRUST_PROXY=true is refused with its reason", () => {
  expect(refusal(serverConfig, { ...production, TRUST_PROXY: "true" })).toContain(
    "makes addresses forgeable",
  );
});

test("two keys are derived from the pepper, neither of them the other or the pepper", () => {
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

test("the derived keys stay what they are: stored hashes depend on them", () => {
  const { passwordKey, codeKey } = serverConfig(production);
  expect(passwordKey.toString("hex")).toBe(
    "72303657d8409cb0277e0b5df4d0b7e2449c4b98b52641022e9f95bc1cb1b84e",
  );
  expect(codeKey.toString("hex")).toBe("dd085710dee72ec9f5a57681b2485c9e3a890f9965e9ece5350f7139846eb1b8");
});

test("outside production missing secrets are made once, kept for their owner alone, and used again", () => {
  const env = { LATCHKEY_HOME: join(temporaryFolder(), "home"), DATABASE_URL: urls.DATABASE_URL };
  const [first, again] = [serverConfig(env), serverConfig(env)];
  const kids = ({ JWT_KEYS }: typeof first) => JWT_KEYS.map(({ kid }) => kid);
  expect({ ...again, JWT_KEYS: kids(again) }).toEqual({ ...first, JWT_KEYS: kids(first) });
  expect(new URL(first.SERVER_DATABASE_URL)).toMatchObject({ username: "latchkey_server", host: "db" });

  const folder = join(env.LATCHKEY_HOME, "secrets");
  const files = readdirSync(folder);
  expect(files.sort()).toEqual([
    ...["ADMIN_SECRET", "HASH_PEPPER", "JWT_KEYS"],
    ...["latchkey_graphql.password", "latchkey_server.password", "latchkey_worker.password"],
  ]);
  for (const file of files) expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(folder, "ADMIN_SECRET"), "utf8").length).toBeGreaterThanOrEqual(32);
});

test("two homes have different secrets, and a given secret is not kept", () => {
  const home = () => ({ LATCHKEY_HOME: temporaryFolder(), DATABASE_URL: urls.DATABASE_URL });
  const [one, other] = [home(), home()];
  expect(serverConfig(one).ADMIN_SECRET).not.toBe(serverConfig(other).ADMIN_SECRET);
  expect(serverConfig(one).passwordKey).not.toEqual(serverConfig(other).passwordKey);
  const given = { ...home(), ...secrets };
  serverConfig(given);
  expect(readdirSync(join(given.LATCHKEY_HOME, "secrets")).filter((name) => name in secrets)).toEqual([]);
});

test("a home that cannot hold secrets is named", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  chmodSync(folder, 0o755);
  const home = join(folder, "file");
  expect(refusal(serverConfig, { LATCHKEY_HOME: home })).toContain(
    `A secret cannot be kept in ${home}: ENOTDIR`,
  );
});

test("a DATABASE_URL from which nothing can be derived is named, and not repeated", () => {
  const env = { LATCHKEY_HOME: temporaryFolder(), DATABASE_URL: "host=db password=s3cret" };
  for (const make of Object.values(makers)) {
    const message = refusal(make, env);
    expect(message).toContain("DATABASE_URL: must be a postgres:// address");
    expect(message).not.toContain("s3cret");
  }
});
