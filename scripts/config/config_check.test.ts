import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { graphqlConfig, migratorConfig, serverConfig, workerConfig } from "../../config/config.ts";
import { environmentSchemas } from "../../config/variables.ts";
import { childEnvironment } from "../../testing/child_environment.ts";
import { configError, production, secrets } from "../../testing/service/environments.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (env: Record<string, string | undefined>, ...args: string[]): Promise<Result> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ["scripts/config/main.ts", ...args],
      { cwd: join(import.meta.dirname, "../.."), env: { ...childEnvironment(), ...env } },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      },
    );
  });

/** The line of a variable, without the blanks of the table. */
const lineOf = ({ stdout }: Result, name: string) =>
  stdout
    .split("\n")
    .find((line) => line.trim().split(" ")[0] === name)
    ?.trim()
    .replace(/ {2,}/g, " | ");

test("each variable of each process has its value and where it is from, and no secret is shown", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "keys"), secrets.JWT_KEYS);
  const result = await run({
    ...production,
    JWT_KEYS: undefined,
    JWT_KEYS_FILE: join(folder, "keys"),
    PORT: "8080",
    AUTH_WEBHOOK_URL: "HTTP://user:webhook-word@server:3000/authorize?key=webhook-key",
    AUTH_WEBHOOK_SECRET: "a secret of the webhook, 32 letters long",
    TWILIO_BASE_URL: "https://user:vendor-word@twilio.example/",
    VONAGE_BASE_URL: "https://vonage.example/?key=vendor-key",
  });
  expect([result.code, result.stderr]).toEqual([0, ""]);
  for (const [name, schema] of Object.entries(environmentSchemas)) {
    expect(result.stdout.split("\n")).toContain(name);
    for (const variable of Object.keys(schema.shape)) expect(lineOf(result, variable), variable).toBeDefined();
  }
  expect(lineOf(result, "PORT")).toBe("PORT | 8080 | (environment)");
  expect(lineOf(result, "GRAPHQL_PORT")).toBe("GRAPHQL_PORT | 3001 | (default)");
  expect(lineOf(result, "DRAIN_DELAY_MS")).toBe("DRAIN_DELAY_MS | 5000 | (default)");
  expect(lineOf(result, "JWT_KEYS")).toBe("JWT_KEYS | hidden | (JWT_KEYS_FILE)");
  expect(lineOf(result, "HASH_PEPPER")).toBe("HASH_PEPPER | hidden | (environment)");
  expect(lineOf(result, "PUBLIC_URL")).toBe("PUBLIC_URL | - | (not set)");
  expect(lineOf(result, "AUTH_WEBHOOK_URL")).toBe("AUTH_WEBHOOK_URL | http://server:3000/authorize | (environment)");
  expect(lineOf(result, "SERVER_DATABASE_URL")).toMatch(
    /^SERVER_DATABASE_URL \| latchkey_server@db:5432\/latchkey, sslmode [a-z-]+ \| \(environment\)$/,
  );
  for (const secret of [...Object.values(secrets), "-word", "webhook-key", "vendor-key", "a secret of the webhook"])
    expect(result.stdout).not.toContain(secret);
});

/** What a variable is that holds a secret, by the names that vendors and we give them. */
const secretName = /SECRET|TOKEN|PEPPER|JWT_KEYS|ENCRYPTION_KEY|RESOURCE_SERVERS|SMTP_URL|PRIVATE/;

test("no kind of secret is shown, whatever its form", async () => {
  const strong = (name: string) => `${name.toLowerCase().replaceAll("_", "-")}-0123456789-abcdefghijklmnop`;
  const key = (text: string) => Buffer.from(text.padEnd(32, "-0123456789")).toString("base64");
  const formed: Record<string, string> = {
    ...secrets,
    HASH_PEPPER: `${key("a pepper")},${key("the previous one")}`,
    KEY_ENCRYPTION_KEY: `${key("an encryption key")},${key("the key before it")}`,
    ADMIN_SECRETS: `alice:${strong("of-alice")},ci:${strong("of-ci")}`,
    EVENT_SECRETS: `crm:whsec_${key("of the crm")}`,
    SMS_HTTP_SIGNING_SECRET: `whsec_${key("of the gateway")}`,
    RESOURCE_SERVERS: `api:${strong("of-the-api")}`,
    SMTP_URL: "smtp://mailer:smtp-word@mail.example?auth=x",
  };
  const names = [...new Set(Object.values(environmentSchemas).flatMap(({ shape }) => Object.keys(shape)))];
  const secret = Object.fromEntries(
    names.filter((name) => secretName.test(name)).map((name) => [name, formed[name] ?? strong(name)]),
  );
  const result = await run({ ...production, ...secret });
  expect([result.code, result.stderr]).toEqual([0, ""]);
  for (const name of Object.keys(secret)) expect(lineOf(result, name)).toBe(`${name} | hidden | (environment)`);
  const parts = Object.values(secret).flatMap((value) => [value, ...value.split(/[,:]|whsec_/)]);
  for (const part of [...parts, "smtp-word"].filter(({ length }) => length >= 9))
    expect(result.stdout).not.toContain(part);
});

test("every fault of every process is named at once, by its process, without the value", async () => {
  const env = {
    ...production,
    HASH_PEPPER: "a short secret",
    WORKER_DATABASE_URL: "postgres://latchkey_worker:the-password@db:port/latchkey",
    GRAPHQL_PORT: "no-port",
    JWT_KEY: "misspelled-secret",
    JWT_KEYS: undefined,
  };
  const result = await run(env);
  expect(result.code).toBe(1);
  const faults = result.stderr.trim().split("\n");
  for (const fault of [
    "  server: HASH_PEPPER: must be 32 bytes",
    "  server: JWT_KEYS is not set",
    "  server: JWT_KEY is not a variable of Latchkey: did you mean JWT_KEYS?",
    "  graphql: GRAPHQL_PORT: must be a whole number",
    "  worker: HASH_PEPPER: must be 32 bytes",
    "  worker: WORKER_DATABASE_URL: cannot be understood",
    "  migrator: WORKER_DATABASE_URL: cannot be understood",
  ])
    expect(
      faults.some((line) => line.startsWith(fault)),
      fault,
    ).toBe(true);
  // The start of each process stops with the same sentences.
  for (const [name, config] of Object.entries({
    server: serverConfig,
    graphql: graphqlConfig,
    worker: workerConfig,
    migrator: migratorConfig,
  }))
    expect(
      faults.filter((line) => line.startsWith(`  ${name}: `)).map((line) => line.replace(`${name}: `, "")),
    ).toEqual(configError(config, env).split("\n").slice(1));
  expect(lineOf(result, "HASH_PEPPER")).toBe("HASH_PEPPER | refused, see below | (environment)");
  for (const secret of ["a short secret", "the-password", "misspelled-secret"])
    expect(result.stdout + result.stderr).not.toContain(secret);
});

test("outside production nothing is made or stored, and what a start would make is named", async () => {
  const LATCHKEY_HOME = join(temporaryFolder(), "home");
  const before = await run({ LATCHKEY_HOME });
  expect([before.code, before.stderr]).toEqual([0, ""]);
  expect(lineOf(before, "HASH_PEPPER")).toBe("HASH_PEPPER | hidden | (made at the start)");
  expect(lineOf(before, "SERVER_DATABASE_URL"), "no address that nothing listens at").toMatch(
    /^SERVER_DATABASE_URL \| - \| \(npm start's own database; /,
  );
  expect(existsSync(LATCHKEY_HOME)).toBe(false);
  const folder = temporaryFolder();
  expect((await run({ LATCHKEY_HOME: folder, DATABASE_URL: "postgres://migrator@127.0.0.1/latchkey" })).code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test("the processes to check may be named, and another name is a sentence", async () => {
  const withoutPepper = { ...production, HASH_PEPPER: undefined };
  expect(await run(withoutPepper, "graphql", "migrator")).toMatchObject({ code: 0, stderr: "" });
  expect((await run(production, "sever")).stderr).toBe(
    "There is no process sever. Usage: npm run config:check [-- server graphql worker migrator]\n",
  );
});
