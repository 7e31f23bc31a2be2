import { readdirSync } from "node:fs";
import { parse } from "pg-connection-string";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { production, configError, secrets, urls } from "../testing/service/environments.ts";
import {
  graphqlConfig,
  graphqlEnvironmentOf,
  migratorConfig,
  requireValidEnvironment,
  serverConfig,
  workerConfig,
} from "./config.ts";
import { environmentSchemas } from "./variables.ts";
import { type Environment } from "./environment.ts";

const configs = {
  server: serverConfig,
  graphql: graphqlConfig,
  worker: workerConfig,
  migrator: migratorConfig,
};

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
  for (const createConfig of Object.values(configs)) expect(Object.isFrozen(createConfig(production))).toBe(true);
});

test("GraphQL's credentials are in its own program alone, which has no others", () => {
  const own = ["GRAPHQL_DATABASE_URL", "GRAPHQL_DATABASE_DIRECT_URL", "ADMIN_SECRET"];
  for (const process of ["server", "worker"] as const)
    for (const name of own) expect(environmentSchemas[process].shape, process).not.toHaveProperty(name);
  const env = graphqlEnvironmentOf({ ...production, PATH: "/bin", SERVER_DATABASE_URL_FILE: "/file" });
  const { GRAPHQL_DATABASE_URL, ADMIN_SECRET } = production;
  expect(env).toEqual({ NODE_ENV: "production", PATH: "/bin", GRAPHQL_DATABASE_URL, ADMIN_SECRET });
});

test("every invalid variable is reported at once, by its name and without its value", () => {
  const bad = {
    PORT: "bad-port",
    LOG_LEVEL: "bad-level",
    HASH_PEPPER: "bad-pepper!",
    JWT_KEYS: "bad-keys",
    SERVER_DATABASE_URL: "https://bad-password@db",
    SERVER_DATABASE_DIRECT_URL: "bad-address",
    AUTH_WEBHOOK_SECRET: "bad-secret",
    TRUST_PROXY: "true",
  };
  const message = configError(serverConfig, { ...production, ...bad });
  for (const name of Object.keys(bad)) expect(message).toContain(`\n  ${name}: `);
  expect(message.split("\n")).toHaveLength(1 + Object.keys(bad).length);
  expect(message).not.toMatch(/bad-/);
});

test.each([
  ["server", ["SERVER_DATABASE_URL", "HASH_PEPPER", "JWT_KEYS"]],
  ["graphql", ["GRAPHQL_DATABASE_URL", "ADMIN_SECRET"]],
  ["worker", ["WORKER_DATABASE_URL", "HASH_PEPPER"]],
  ["migrator", ["DATABASE_URL", "SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"]],
] as const)("in production the %s creates no secret, and lists each that is missing", (process, names) => {
  const home = temporaryFolder();
  const env: Environment = { NODE_ENV: "production", LATCHKEY_HOME: home };
  const message = configError(configs[process], env);
  for (const name of names) expect(message).toContain(`\n  ${name} is not set: `);
  expect(message.split("\n")).toHaveLength(1 + names.length);
  expect(readdirSync(home)).toEqual([]);
});

test("the error for a missing secret says how to generate one", () => {
  const env = { NODE_ENV: "production", LATCHKEY_HOME: temporaryFolder() };
  const message = configError(serverConfig, env) + configError(graphqlConfig, env);
  for (const line of [
    "ADMIN_SECRET is not set: generate one with: openssl rand -base64 32, or set ADMIN_SECRETS (ADMIN_SECRET_FILE may name a file",
    "HASH_PEPPER is not set: generate one with: openssl rand -base64 32, or restore the one",
    "JWT_KEYS is not set: generate a key set with: npm run --silent make:jwt-keys",
    "SERVER_DATABASE_URL is not set: set it to postgres://latchkey_server:<password>@<host>:5432/<database>",
  ])
    expect(message).toContain(line);
  expect(message).not.toMatch(/undefined|received|expected/);
});

test("a misspelled optimization is named by its variable, with the names that there are", () => {
  const env = { LATCHKEY_HOME: temporaryFolder(), OPTIMIZATIONS_OFF: "token_cache,nope" };
  expect(configError(serverConfig, env)).toMatch(/^ {2}OPTIMIZATIONS_OFF: must be names of batch, /m);
});

test("a word that is none of those that are valid is answered with these", () => {
  const env = { LATCHKEY_HOME: temporaryFolder(), LOG_FORMAT: "yaml" };
  expect(configError(serverConfig, env)).toMatch(/^ {2}LOG_FORMAT: must be one of json, pretty$/m);
});

test("the error of a migrator without DATABASE_URL mentions npm start", () => {
  expect(configError(migratorConfig, { NODE_ENV: "production" })).toMatch(/^ {2}DATABASE_URL is not set: .*npm start/m);
  const home = temporaryFolder();
  expect(configError(migratorConfig, { LATCHKEY_HOME: home }), "not each address that is derived from it").toMatch(
    /^[^\n]*\n {2}DATABASE_URL is not set: .*$/,
  );
});

test("an empty variable counts as not set", () => {
  const empty = Object.fromEntries(
    ["PORT", "HOST", "TRUST_PROXY", "JWT_ISSUER", "AUTH_WEBHOOK_SECRET", "CORS_ORIGINS", "LOG_LEVEL"].map((name) => [
      name,
      "",
    ]),
  );
  expect(serverConfig({ ...production, ...empty })).toEqual(serverConfig(production));
  expect(configError(graphqlConfig, { ...production, ADMIN_SECRET: "" })).toContain("ADMIN_SECRET");
});

test("the error for an invalid DATABASE_URL names the variable and does not repeat its value", () => {
  const env = { LATCHKEY_HOME: temporaryFolder(), DATABASE_URL: "host=db password=s3cret" };
  for (const createConfig of Object.values(configs)) {
    const message = configError(createConfig, env);
    expect(message).toContain("DATABASE_URL: must be a postgres:// address");
    expect(message).not.toContain("s3cret");
  }
});

test.each([
  ["postgres://migrator:50%ff@db/latchkey", "cannot be understood: "],
  ["postgres://migrator:s3cret#1@db/latchkey", "cannot be understood: "],
  ["postgres://migrator@db:port/latchkey", "cannot be understood: "],
  ["postgres://migrator@db/latchkey?sslrootcert=/missing", "names a file that cannot be read: ENOENT"],
])("an address that cannot be used, %s, is an error that names its variable and not its value", (url, fault) => {
  const env = { LATCHKEY_HOME: temporaryFolder(), DATABASE_URL: url };
  for (const createConfig of Object.values(configs)) {
    const message = configError(createConfig, env);
    expect(message).toContain(`\n  DATABASE_URL: ${fault}`);
    expect(message).not.toContain("s3cret");
  }
});

test("an address may give role, password and socket as parameters, and the others are derived from it", () => {
  const common = { LATCHKEY_HOME: temporaryFolder(), NODE_ENV: "test" };
  for (const DATABASE_URL of [
    "postgres://migrator:m-word@/latchkey?host=/run/postgresql",
    "postgres:///latchkey?host=/run/postgresql&user=migrator&password=m-word",
    "postgres://other:word@db/latchkey?host=/run/postgresql&user=migrator&password=m-word",
  ]) {
    const config = migratorConfig({ ...common, DATABASE_URL });
    expect(parse(config.WORKER_DATABASE_URL)).toMatchObject({
      host: "/run/postgresql",
      database: "latchkey",
      user: "latchkey_worker",
      password: expect.not.stringMatching(/^m-word$/) as string,
    });
  }
});

test("npm start reports the invalid variables of all processes at once", () => {
  const bad = { PORT: "bad-port", TWILIO_ACCOUNT_SID: "bad-sid", WORKER_POOL_SIZE: "bad-size" };
  const env = { LATCHKEY_HOME: temporaryFolder(), ...bad };
  const message = configError((all) => requireValidEnvironment(all, urls.DATABASE_URL), env);
  for (const name of Object.keys(bad)) expect(message).toContain(`\n  ${name}: `);
  expect(message.split("\n")).toHaveLength(1 + Object.keys(bad).length);
  expect(() => requireValidEnvironment(production, "")).not.toThrow();
});

test.each([
  ["TRUST_PROXI", "TRUST_PROXY"],
  ["JWT_KEY", "JWT_KEYS"],
  ["JWT_KEYS_FIL", "JWT_KEYS_FILE"],
  ["CORS_ORIGIN", "CORS_ORIGINS"],
  ["HASH_PEPPR", "HASH_PEPPER"],
])("a misspelled %s stops the server, and its sentence names %s", (misspelled, meant) => {
  const message = configError(serverConfig, {
    ...production,
    [meant.replace("_FILE", "")]: undefined,
    [misspelled]: "s3cret",
  });
  expect(message).toContain(`${misspelled} is not a variable of Latchkey: did you mean ${meant}?`);
  expect(message).not.toContain("s3cret");
});

test("a variable of another process or program, and one near a variable that is set, stops nothing", () => {
  const foreign = {
    AWS_PROFILE: "x",
    HOSTNAME: "x",
    PGHOST: "x",
    SMTP_URL: "x",
    DATABASE_URI: "x",
    HTTP_PROXY: "x",
  };
  expect(() =>
    serverConfig({ ...production, ...foreign, PUBLIC_URL: "https://a.example", PUBLIC_URI: "x" }),
  ).not.toThrow();
});

test("a process with addresses of its own does not look at the migrator's", () => {
  const own = { ...urls, DATABASE_URL: "", DATABASE_URL_FILE: "/missing" };
  for (const createConfig of [serverConfig, workerConfig]) {
    const env = { ...own, LATCHKEY_HOME: temporaryFolder() };
    expect(() => createConfig(env)).not.toThrow();
    expect(() => createConfig({ ...env, DATABASE_URL: "no address", DATABASE_URL_FILE: "" })).not.toThrow();
    expect(() => createConfig({ ...env, NODE_ENV: "production", ...secrets })).not.toThrow();
  }
});
