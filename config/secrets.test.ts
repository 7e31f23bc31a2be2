import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { production, configError, secrets, urls } from "../testing/environments.ts";
import { serverConfig } from "./config.ts";
import { type Environment } from "./environment.ts";

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
    configError(serverConfig, { ...production, ADMIN_SECRET: undefined, ADMIN_SECRET_FILE: path });
  expect(given(join(folder, "missing"))).toMatch(
    /^ADMIN_SECRET_FILE names a file that cannot be read: ENOENT/,
  );
  expect(given(folder)).toMatch(/^ADMIN_SECRET_FILE names a file that cannot be read: EISDIR/);
  writeFileSync(join(folder, "empty"), "\n");
  expect(given(join(folder, "empty"))).toContain("\n  ADMIN_SECRET is not set: ");
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
  expect(configError(serverConfig, { LATCHKEY_HOME: home })).toContain(
    `A secret cannot be kept in ${home}: ENOTDIR`,
  );
});
