import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
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
function refused(env: Record<string, string>, address: (url: string) => string, how = "without TLS"): string[] {
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
    const sentence = `${name}: leaves this machine ${how}: add ?sslmode=verify-full`;
    return messages.some((message) => message.includes(sentence)) ? [name] : [];
  });
}

const withMode = (mode: string) => (url: string) => url.replace("sslmode=verify-full", mode);

test.for(["", "sslmode=disable", "sslmode=allow", "sslmode=prefer"])(
  "in production each address that leaves the machine with %j is refused, unless DATABASE_TLS is off",
  (mode) => {
    expect(refused({}, withMode(mode)).sort()).toEqual(Object.keys(everyAddress).sort());
    expect(refused({ DATABASE_TLS: "off" }, withMode(mode))).toEqual([]);
  },
);

const unverified = "with TLS that does not verify the server, so anybody in between could pose as it";

test("in production TLS that verifies nobody is refused, unless DATABASE_TLS is off", () => {
  expect(refused({}, withMode("sslmode=require"), unverified).sort()).toEqual(Object.keys(everyAddress).sort());
  expect(refused({ DATABASE_TLS: "off" }, withMode("sslmode=require"), unverified)).toEqual([]);
  const oneOfTwo = (url: string) => url.replace("@db/", "@127.0.0.1,db/");
  expect(refused({}, (url) => oneOfTwo(withMode("sslmode=require")(url)), unverified)).toHaveLength(7);
  expect(refused({}, oneOfTwo, unverified)).toEqual([]);
});

test("a file of an authority of one's own is as good: with verify-ca, and with require, which then verifies", () => {
  const file = join(temporaryFolder(), "ca.pem");
  writeFileSync(file, rootCertificates[0] ?? "");
  for (const mode of ["verify-ca", "require", "verify-full"])
    for (const how of ["without TLS", unverified])
      expect(refused({}, withMode(`sslmode=${mode}&sslrootcert=${file}`), how)).toEqual([]);
});

test.for([
  withMode("sslmode=verify-full"),
  (url: string) => url.replace("@db/", "@127.0.0.1/").replace("?sslmode=verify-full", ""),
  (url: string) => `${url.replace("?sslmode=verify-full", "")}?host=/run/postgresql`,
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
