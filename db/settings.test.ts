import { afterAll, beforeEach, expect, test } from "vitest";
import { migratorConfig } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test_database.ts";
import { copySql } from "../testing/sql_copy.ts";
import { fingerprint } from "../testing/fingerprint.ts";
import { migrate } from "./migrate.ts";

let database: TestDatabase;
const used: TestDatabase[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  used.push(database);
});
afterAll(() => Promise.all(used.map((one) => one.drop())));

async function migrateWith(env: Environment): Promise<string[]> {
  const said: string[] = [];
  await migrate(migratorConfig({ ...database.env, ...env }), (line) => said.push(line));
  return said;
}

async function stored(key: string): Promise<unknown> {
  const rows = await database.query<{ value: unknown }>(
    "select value from settings.configuration where key = $1",
    [key],
  );
  return rows[0]?.value;
}

/** Changes a setting as an operator does. */
const change = (key: string, value: unknown) =>
  database.query("update settings.configuration set value = $2 where key = $1", [key, JSON.stringify(value)]);

test("the environment's settings are stored, each in the form of its kind", async () => {
  const provider = { providerToUse: "http", template: "{{code}}", http: { url: "https://sms.example" } };
  const said = await migrateWith({
    OTP_LENGTH: "08",
    OTP_SEND_PER_IP: "7/60",
    REGISTER_PER_IP: "off",
    OTP_PROVIDER: JSON.stringify(provider),
  });
  expect(await stored("OTP_LENGTH")).toBe(8);
  expect(await stored("OTP_SEND_PER_IP")).toBe("7/60");
  expect(await stored("REGISTER_PER_IP")).toBe("off");
  expect(await stored("OTP_PROVIDER")).toEqual(provider);
  expect(said).toHaveLength(4);
  expect(said).toContain("setting OTP_SEND_PER_IP = 7/60");
});

test("an operator's change by SQL is not undone by the next deployment", async () => {
  await migrateWith({ OTP_LENGTH: "8" });
  await change("OTP_LENGTH", 7);
  expect(await migrateWith({ OTP_LENGTH: "8" })).toEqual([]);
  expect(await stored("OTP_LENGTH")).toBe(7);
});

test("a deployment that gives another value than it gave last writes it", async () => {
  await migrateWith({ OTP_LENGTH: "8" });
  await change("OTP_LENGTH", 7);
  await migrateWith({ OTP_LENGTH: "9" });
  expect(await stored("OTP_LENGTH")).toBe(9);
});

test("a setting that the environment does not give, or gives empty, stays as it is", async () => {
  await migrateWith({ OTP_LENGTH: "8" });
  expect(await migrateWith({})).toEqual([]);
  expect(await migrateWith({ OTP_LENGTH: "" })).toEqual([]);
  expect(await stored("OTP_LENGTH")).toBe(8);
});

test.each([
  ["OTP_LENGTH", "0"],
  ["OTP_LENGTH", "-6"],
  ["OTP_LENGTH", "six"],
  ["OTP_LENGTH", "6.5"],
  ["OTP_LENGTH", "99999999999999999999999999"],
  ["PASSWORD_HASH_COST", "15"],
  ["OTP_SEND_PER_IP", "10"],
  ["OTP_SEND_PER_IP", "0/60"],
  ["OTP_SEND_PER_IDENTIFIER", "off"],
  ["OTP_PROVIDER", "http"],
  ["OTP_PROVIDER", "[]"],
  ["OTP_PROVIDER", '{"providerToUse": "pigeon", "template": "{{code}}"}'],
])("the bad value %s=%s stops the migration with a sentence that names the setting", async (key, value) => {
  const before = await fingerprint(database);
  await expect(migrateWith({ ACCESS_TOKEN_TTL_SECONDS: "60", [key]: value })).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringContaining(key) as string,
  });
  expect(await fingerprint(database)).toEqual(before);
});

test("a PASSWORD_HASH_COST that an earlier version allowed is lowered, and the migration says so", async () => {
  const empty = await createTestDatabase({ migrated: false });
  used.push(empty);
  const earlier = copySql();
  earlier.remove("migrations/0013_password_cost.sql");
  await migrate(migratorConfig({ ...empty.env, PASSWORD_HASH_COST: "16" }), undefined, earlier.directory);
  const said: string[] = [];
  await migrate(migratorConfig({ ...empty.env, PASSWORD_HASH_COST: "16" }), (line) => said.push(line));
  expect(said).toContainEqual(expect.stringMatching(/^setting PASSWORD_HASH_COST = 14 \(was 16/));
  expect(
    await empty.query("select value from settings.configuration where key = 'PASSWORD_HASH_COST'"),
  ).toEqual([{ value: 14 }]);
});

test("every bad value and every unknown name is reported at once, an unknown one with the nearest known one", async () => {
  const bad = {
    OTP_LENGHT: "6",
    OTP_LENGTH: "99",
    PASSWORD_HASH_COSTS: "10",
    OTP_PROVIDER: "http",
    LOGIN_FAILURES: "1/1",
  };
  const fine = { PASSWORD_POOL_SIZE: "2", PASSWORD_STORE_DIR: "/home/me/passwords", GUEST_HOUSE: "" };
  await expect(migrateWith({ ...bad, ...fine })).rejects.toMatchObject({
    name: "OperatorError",
    message: [
      "OTP_LENGHT is no setting: did you mean OTP_LENGTH?",
      "PASSWORD_HASH_COSTS is no setting: did you mean PASSWORD_HASH_COST?",
      "LOGIN_FAILURES is no setting: did you mean LOGIN_FAILURES_PER_IP?",
      "OTP_LENGTH: must be a whole number from 4 to 10, not 99",
      "OTP_PROVIDER: must be JSON",
    ].join("\n"),
  });
  await expect(migrateWith(fine)).resolves.toEqual([]);
});

test("an unknown name is refused by the table", async () => {
  await expect(
    database.query("insert into settings.configuration (key, value) values ('OTP_LENGHT', '6')"),
  ).rejects.toThrow("OTP_LENGHT");
});

test("outside production the console sends the SMS, unless someone chose otherwise", async () => {
  expect(await stored("OTP_PROVIDER")).toMatchObject({ providerToUse: "console" });
  const chosen = { providerToUse: "http", template: "{{code}}", http: { url: "https://sms.example" } };
  await change("OTP_PROVIDER", chosen);
  await migrateWith({});
  expect(await stored("OTP_PROVIDER")).toEqual(chosen);
});

test("in production nobody chooses a provider but the operator", async () => {
  const empty = await createTestDatabase({ migrated: false });
  used.push(empty);
  const { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL } = migratorConfig(empty.env);
  const production = {
    NODE_ENV: "production",
    DATABASE_URL: empty.env.DATABASE_URL,
    ...{ SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL },
  };
  await migrate(migratorConfig(production));
  expect(await empty.query("select from settings.configuration where key = 'OTP_PROVIDER'")).toEqual([]);
});
