import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { migratorConfig } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test_database.ts";
import { eventually } from "../testing/eventually.ts";
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
  [
    "OTP_PROVIDER",
    '{"providerToUse": "console", "template": "{{code}}", "templates": {"LOGIN": {"de": "Code"}}}',
  ],
  ["OTP_ORIGINS", "app.example.com"],
  ["OTP_APP_HASHES", "FA+9qCX9VSu,"],
  ["OTP_TEST_NUMBERS", "+12025550101"],
  ["OTP_TEST_NUMBERS", '{"+12025550101": {"code": "4242", "until": "2027-01-31T00:00:00Z"}}'],
  ["OTP_TEST_NUMBERS_IN_PRODUCTION", "yes"],
])("the bad value %s=%s stops the migration with a sentence that names the setting", async (key, value) => {
  const before = await fingerprint(database);
  await expect(migrateWith({ ACCESS_TOKEN_TTL_SECONDS: "60", [key]: value })).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringContaining(key) as string,
  });
  expect(await fingerprint(database)).toEqual(before);
});

test("lists are separated by commas, test numbers are JSON, and no code is printed", async () => {
  const numbers = { "+12025550101": { code: "424242", until: "2027-01-31T00:00:00Z" } };
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

test("a deployment may change settings that only fit together", async () => {
  const numbers = (code: string) =>
    JSON.stringify({ "+12025550101": { code, until: "2027-01-31T00:00:00Z" } });
  await migrateWith({ OTP_TEST_NUMBERS: numbers("424242") });
  await migrateWith({ OTP_LENGTH: "8", OTP_TEST_NUMBERS: numbers("42424242") });
  expect(await stored("OTP_LENGTH")).toBe(8);
  await migrateWith({ OTP_LENGTH: "6", OTP_TEST_NUMBERS: numbers("424242") });
  expect(await stored("OTP_LENGTH")).toBe(6);
  await expect(migrateWith({ OTP_LENGTH: "4" })).rejects.toMatchObject({
    name: "OperatorError",
    message: "OTP_LENGTH: the code of +12025550101 in OTP_TEST_NUMBERS must have 4 digits (OTP_LENGTH)",
  });
});

test("a text that takes more than one SMS is warned of, by the migration and to whoever writes it by SQL", async () => {
  const provider = {
    providerToUse: "console",
    template: "Code {{code}}",
    templates: { LOGIN: { ru: `${"я".repeat(65)}{{code}}` }, default: { en: `${"a".repeat(310)}{{code}}` } },
  };
  const warnings = [
    "OTP_PROVIDER: templates.LOGIN.ru is sent as 2 SMS each time (UCS-2)",
    "OTP_PROVIDER: templates.default.en is sent as 3 SMS each time (GSM-7)",
  ];
  const said = await migrateWith({ OTP_PROVIDER: JSON.stringify(provider) });
  expect(said.filter((line) => line.startsWith("warning: "))).toEqual(
    warnings.map((line) => `warning: ${line}`),
  );

  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    const notices: [string | undefined, string | undefined][] = [];
    client.on("notice", ({ severity, message }) => notices.push([severity, message]));
    await client.query("update settings.configuration set value = value where key = 'OTP_PROVIDER'");
    expect(notices).toEqual(warnings.map((line) => ["WARNING", line]));
    await client.query("update settings.configuration set value = '6' where key = 'OTP_LENGTH'");
    expect(notices).toHaveLength(2);
  } finally {
    await client.end();
  }
});

test("two changes at once that do not fit together are not both stored", async () => {
  const [first, second] = [0, 1].map(() => new pg.Client({ connectionString: database.superuserUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([first.connect(), second.connect()]);
  try {
    await first.query("begin");
    await first.query("update settings.configuration set value = '8' where key = 'OTP_LENGTH'");
    const { rows } = await second.query<{ pid: number }>("select pg_backend_pid() as pid");
    const later = second.query(
      `update settings.configuration set value = '{"+12025550101": {"code": "424242", "until": "2027-01-31T00:00:00Z"}}'
       where key = 'OTP_TEST_NUMBERS'`,
    );
    const refused = expect(later).rejects.toThrow(
      "OTP_TEST_NUMBERS: the code of +12025550101 in OTP_TEST_NUMBERS must have 8 digits (OTP_LENGTH)",
    );
    await eventually("the second change waits for the first", async () => {
      const waiting = await database.query(
        "select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
        [rows[0]?.pid],
      );
      return waiting.length === 1;
    });
    await first.query("commit");
    await refused;
    expect(await stored("OTP_TEST_NUMBERS")).toEqual({});
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
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
