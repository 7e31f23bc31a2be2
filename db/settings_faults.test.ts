import pg from "pg";
import { expect } from "vitest";
import { blockedConnections } from "../testing/postgres/lock_race.ts";
import { fingerprint } from "../testing/postgres/fingerprint.ts";
import { test } from "../testing/service/settings_fixtures.ts";

test.for<[string, string]>([
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
  ["OTP_PROVIDER", '{"providerToUse": "console", "template": "{{code}}", "templates": {"LOGIN": {"de": "Code"}}}'],
  ["OTP_ORIGINS", "app.example.com"],
  ["OTP_APP_HASHES", "FA+9qCX9VSu,"],
  ["OTP_TEST_NUMBERS", "+12025550101"],
  ["OTP_TEST_NUMBERS", '{"+12025550101": {"code": "4242", "until": "2100-01-31T00:00:00Z"}}'],
  ["OTP_TEST_NUMBERS_IN_PRODUCTION", "yes"],
])(
  "the bad value %s=%s stops the migration with a sentence that names the setting",
  async ([key, value], { database, migrateWith }) => {
    const before = await fingerprint(database);
    await expect(migrateWith({ ACCESS_TOKEN_TTL_SECONDS: "60", [key]: value })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining(key) as string,
    });
    expect(await fingerprint(database)).toEqual(before);
  },
);

test("a deployment may change settings that are valid only together", async ({ migrateWith, stored }) => {
  const numbers = (code: string) => JSON.stringify({ "+12025550101": { code, until: "2100-01-31T00:00:00Z" } });
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

test("a text that takes more than one SMS causes a warning, by the migration and in SQL", async ({
  database,
  migrateWith,
}) => {
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
  expect(said.filter((line) => line.startsWith("warning: "))).toEqual(warnings.map((line) => `warning: ${line}`));

  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    const notices: [string | undefined, string | undefined][] = [];
    client.on("notice", ({ severity, message }) => notices.push([severity, message]));
    await client.query("update settings.configuration set value = value where key = 'OTP_PROVIDER'");
    expect(notices).toEqual(warnings.map((line) => ["WARNING", line]));
    await client.query("update settings.configuration set value = '6' where key = 'OTP_LENGTH'");
    expect(notices, "no other setting runs private.warn_of_segments()").toHaveLength(2);
  } finally {
    await client.end();
  }
});

test("two changes at once that do not fit together are not both stored", async ({ database, stored }) => {
  const [first, second] = [0, 1].map(() => new pg.Client({ connectionString: database.superuserUrl })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([first.connect(), second.connect()]);
  try {
    await first.query("begin");
    await first.query("update settings.configuration set value = '8' where key = 'OTP_LENGTH'");
    const later = second.query(
      `update settings.configuration set value = '{"+12025550101": {"code": "424242", "until": "2100-01-31T00:00:00Z"}}'
       where key = 'OTP_TEST_NUMBERS'`,
    );
    const refused = expect(later).rejects.toThrow(
      "OTP_TEST_NUMBERS: the code of +12025550101 in OTP_TEST_NUMBERS must have 8 digits (OTP_LENGTH)",
    );
    await blockedConnections(database, 1);
    await first.query("commit");
    await refused;
    expect(await stored("OTP_TEST_NUMBERS")).toEqual({});
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
});

test("every bad value and every unknown name is reported at once, an unknown one with the nearest known one", async ({
  migrateWith,
}) => {
  const bad = {
    OTP_LENGHT: "6",
    OTP_LENGTH: "99",
    PASSWORD_HASH_COSTS: "10",
    OTP_PROVIDER: "http",
    LOGIN_FAILURES: "1/1",
    FRAUD_BUDGETS: "{}",
    SESSION_MAX_SECOND: "60",
    ACCOUNT_DELETION_GRACE: "0",
  };
  const fine = {
    SESSION_MANAGER: "local/host",
    PASSWORD_POOL_SIZE: "2",
    PASSWORD_STORE_DIR: "/home/me/passwords",
    GUEST_HOUSE: "",
    EMAIL_DELIVERABILITY_API_KEY: "another program's",
  };
  await expect(migrateWith({ ...bad, ...fine })).rejects.toMatchObject({
    name: "OperatorError",
    message: [
      "OTP_LENGHT is not a setting: did you mean OTP_LENGTH?",
      "PASSWORD_HASH_COSTS is not a setting: did you mean PASSWORD_HASH_COST?",
      "LOGIN_FAILURES is not a setting: did you mean LOGIN_FAILURES_PER_IP?",
      "FRAUD_BUDGETS is not a setting: did you mean FRAUD_BUDGET?",
      "SESSION_MAX_SECOND is not a setting: did you mean SESSION_MAX_SECONDS?",
      "ACCOUNT_DELETION_GRACE is not a setting: did you mean ACCOUNT_DELETION_GRACE_SECONDS?",
      "OTP_LENGTH: must be a whole number from 4 to 10, not 99",
      "OTP_PROVIDER: must be JSON",
    ].join("\n"),
  });
  await expect(migrateWith(fine)).resolves.toEqual([]);
});

test("a misspelling of any setting is reported", async ({ database, migrateWith }) => {
  const rows = await database.query<{ key: string }>("select key from private.setting_definition");
  const misspelled = Object.fromEntries(rows.map(({ key }) => [`${key.slice(0, -1)}_`, "1"]));
  const failure: unknown = await migrateWith(misspelled).catch((error: unknown) => error);
  const reported = (failure as Error).message.split("\n").map((line) => line.replace(/ is not a setting.*/, ""));
  expect(reported.toSorted()).toEqual(Object.keys(misspelled).toSorted());
});

test("an unknown name is refused by the table", async ({ database }) => {
  await expect(
    database.query("insert into settings.configuration (key, value) values ('OTP_LENGHT', '6')"),
  ).rejects.toThrow("OTP_LENGHT");
});
