import { expect, test } from "vitest";
import { configError, production, secrets, urls } from "../testing/service/environments.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { adminDatabaseUrl } from "./admin_database.ts";
import { graphqlConfig, migratorConfig, serverConfig, workerConfig } from "./config.ts";
import { tlsWarnings } from "./database_url.ts";
import { importConfig } from "./import_config.ts";

const configs = { serverConfig, graphqlConfig, workerConfig, migratorConfig, importConfig, adminDatabaseUrl };
const direct = Object.fromEntries(
  ["SERVER", "GRAPHQL", "WORKER"].map((name) => [
    `${name}_DATABASE_DIRECT_URL`,
    urls[`${name}_DATABASE_URL` as keyof typeof urls],
  ]),
);
const everyAddress: Record<string, string> = { ...urls, ...direct };

/** With each address in turn, the variables that the processes refuse. */
function refused(env: Record<string, string>, address: (url: string) => string): string[] {
  return Object.entries(everyAddress).flatMap(([name, url]) => {
    const complete = { ...production, ...everyAddress, ...env, [name]: address(url) };
    const messages = Object.values(configs).flatMap((createConfig) => {
      try {
        createConfig(complete);
        return [];
      } catch {
        return configError(createConfig, complete);
      }
    });
    const sentence = `${name}: leaves this machine without TLS: add ?sslmode=verify-full`;
    return messages.some((message) => message.includes(sentence)) ? [name] : [];
  });
}

const withMode = (mode: string) => (url: string) => url.replace("sslmode=require", mode);

test.for(["", "sslmode=disable", "sslmode=allow", "sslmode=prefer"])(
  "in production each address that leaves the machine with %j is refused, unless DATABASE_TLS is off",
  (mode) => {
    expect(refused({}, withMode(mode)).sort()).toEqual(Object.keys(everyAddress).sort());
    expect(refused({ DATABASE_TLS: "off" }, withMode(mode))).toEqual([]);
  },
);

test.for([
  withMode("sslmode=verify-full"),
  (url: string) => url.replace("@db/", "@127.0.0.1/").replace("?sslmode=require", ""),
  (url: string) => `${url.replace("?sslmode=require", "")}?host=/run/postgresql`,
])("an address with TLS, or that stays on the machine, is not: %s", (address) => {
  expect(refused({}, address)).toEqual([]);
});

test("outside production it is a warning, which DATABASE_TLS=off silences", () => {
  const plain = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, withMode("")(url)]));
  const env = { ...plain, ...secrets, LATCHKEY_HOME: temporaryFolder(), NODE_ENV: "test" };
  expect(tlsWarnings(migratorConfig(env))).toEqual(
    Object.keys(urls).map((name) => expect.stringMatching(`^${name} leaves this machine without TLS: `) as string),
  );
  expect(tlsWarnings(workerConfig(env))).toHaveLength(1);
  expect(tlsWarnings(serverConfig({ ...env, DATABASE_TLS: "off" }))).toEqual([]);
  expect(tlsWarnings(serverConfig({ ...env, ...urls }))).toEqual([]);
});
