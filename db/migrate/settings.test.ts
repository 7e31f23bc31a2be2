import { expect } from "vitest";
import { migratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { test } from "../../testing/service/settings_fixtures.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { migrate } from "../migrate.ts";

test("the environment's settings are stored, each in the form of its kind", async ({ migrateWith, stored }) => {
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

test("an operator's change by SQL is not undone by the next deployment", async ({ migrateWith, stored, change }) => {
  await migrateWith({ OTP_LENGTH: "8" });
  await change("OTP_LENGTH", 7);
  expect(await migrateWith({ OTP_LENGTH: "8" })).toEqual([]);
  expect(await stored("OTP_LENGTH")).toBe(7);
});

test("a deployment that sets another value than the last one writes it", async ({ migrateWith, stored, change }) => {
  await migrateWith({ OTP_LENGTH: "8" });
  await change("OTP_LENGTH", 7);
  await migrateWith({ OTP_LENGTH: "9" });
  expect(await stored("OTP_LENGTH")).toBe(9);
});

test("a setting that the environment does not set, or sets to nothing, stays as it is", async ({
  migrateWith,
  stored,
}) => {
  await migrateWith({ OTP_LENGTH: "8" });
  expect(await migrateWith({})).toEqual([]);
  expect(await migrateWith({ OTP_LENGTH: "" })).toEqual([]);
  expect(await stored("OTP_LENGTH")).toBe(8);
});

test("lists are separated by commas, test numbers are JSON, and no code is printed", async ({
  migrateWith,
  stored,
}) => {
  const numbers = { "+12025550101": { code: "424242", until: "2100-01-31T00:00:00Z" } };
  const said = await migrateWith({
    OTP_ORIGINS: "https://app.example.com, http://localhost:3000",
    OTP_APP_HASHES: "FA+9qCX9VSu,abc/efghij1",
    OTP_TEST_NUMBERS: JSON.stringify(numbers),
  });
  expect(await stored("OTP_ORIGINS")).toEqual(["https://app.example.com", "http://localhost:3000"]);
  expect(await stored("OTP_APP_HASHES")).toEqual(["FA+9qCX9VSu", "abc/efghij1"]);
  expect(await stored("OTP_TEST_NUMBERS")).toEqual(numbers);
  expect(said).toEqual([
    "setting OTP_APP_HASHES = FA+9qCX9VSu,abc/efghij1",
    "setting OTP_ORIGINS = https://app.example.com, http://localhost:3000",
    "setting OTP_TEST_NUMBERS = …",
  ]);
});

test("outside production the console sends the SMS, unless someone chose otherwise", async ({
  migrateWith,
  stored,
  change,
}) => {
  expect(await stored("OTP_PROVIDER")).toMatchObject({ providerToUse: "console" });
  const chosen = { providerToUse: "http", template: "{{code}}", http: { url: "https://sms.example" } };
  await change("OTP_PROVIDER", chosen);
  await migrateWith({});
  expect(await stored("OTP_PROVIDER")).toEqual(chosen);
});

test("a provider that the environment set is not replaced by the console where the environment no longer names one", async ({
  migrateWith,
  stored,
}) => {
  const vendor = { providerToUse: "vonage", template: "{{code}}", vonage: { from: "Shop" } };
  await migrateWith({ OTP_PROVIDER: JSON.stringify(vendor) });
  await migrateWith({});
  expect(await stored("OTP_PROVIDER")).toEqual(vendor);
});

test("a provider that a TRUNCATE removed is stored again, though the environment is the same", async ({
  migrateWith,
  stored,
  database,
}) => {
  const vendor = { providerToUse: "vonage", template: "{{code}}", vonage: { from: "Shop" } };
  await migrateWith({ OTP_PROVIDER: JSON.stringify(vendor), OTP_LENGTH: "7" });
  await database.query("truncate settings.configuration");
  await migrateWith({ OTP_PROVIDER: JSON.stringify(vendor), OTP_LENGTH: "7" });
  expect(await stored("OTP_PROVIDER")).toEqual(vendor);
  expect(await stored("OTP_LENGTH"), "a deleted setting has its default").toBeUndefined();
});

/** Returns the environment of a migration of the database in production. */
function productionOf(database: TestDatabase): Environment {
  const { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL, WORKER_DATABASE_URL } = migratorConfig(database.env);
  return {
    NODE_ENV: "production",
    DATABASE_URL: database.env.DATABASE_URL,
    SERVER_DATABASE_URL,
    GRAPHQL_DATABASE_URL,
    WORKER_DATABASE_URL,
  };
}

test("in production only the operator chooses a provider", async ({ empty }) => {
  await migrate(migratorConfig(productionOf(empty)));
  expect(await empty.query("select from settings.configuration where key = 'OTP_PROVIDER'")).toEqual([]);
});

test("a provider that production refuses is refused when the environment sets it, and warned of when it was stored before", async ({
  empty,
}) => {
  const env = {
    ...productionOf(empty),
    OTP_PROVIDER: '{"providerToUse": "console", "template": "{{code}}"}',
  };
  await expect(migrate(migratorConfig(env))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(/^OTP_PROVIDER: console is refused in production/) as string,
  });
  await migrate(migratorConfig(empty.env));
  const said: string[] = [];
  await migrate(migratorConfig(productionOf(empty)), (line) => said.push(line));
  expect(said).toEqual([
    expect.stringMatching(/^warning: OTP_PROVIDER: console is refused .* Nothing is sent until you set another\.$/),
  ]);
  // The environment now sets the value that the migration of development stored: it has written the same value before.
  const [{ value } = { value: {} }] = await empty.query<{ value: object }>(
    "select value from settings.configuration where key = 'OTP_PROVIDER'",
  );
  const again = { ...productionOf(empty), OTP_PROVIDER: JSON.stringify(value) };
  await expect(migrate(migratorConfig(again))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(/^OTP_PROVIDER: console is refused in production/) as string,
  });
});
