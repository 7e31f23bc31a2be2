import { expect } from "vitest";
import { test as baseTest } from "../../../testing/graphql/graphql_fixtures.ts";
import { clearRateLimits, newPhone } from "../../../testing/service/people.ts";
import { storedSetting } from "../../../testing/service/stored_setting.ts";

// An SMS needs a worker.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({}));

const setTo =
  "mutation ($key: String!, $value: jsonb!) { update_settings_configuration_by_pk(pk_columns: { key: $key }, _set: { value: $value }) { key value updated_at } }";

test("the next SMS has the text that the admin set", async ({ client, gateway, admin }) => {
  const value = {
    providerToUse: "http",
    template: "Changed: {{code}} ({{minutes}} min)",
    http: { url: gateway.url },
  };
  const { data } = await admin(setTo, { key: "OTP_PROVIDER", value });
  expect(data).toMatchObject({ update_settings_configuration_by_pk: { key: "OTP_PROVIDER", value } });
  const phone = newPhone();
  const [sms] = await Promise.all([gateway.next(phone), client.sendOtp(phone)]);
  expect(sms.body).toMatch(/^Changed: [0-9]{6} \([0-9] min\)$/);
});

test("the next request meets the limit that the admin set", async ({ service, client, admin, database }) => {
  const phone = newPhone();
  const previous = await storedSetting(database, "OTP_SEND_PER_IDENTIFIER");
  expect((await admin(setTo, { key: "OTP_SEND_PER_IDENTIFIER", value: "1/3600" })).code).toBeUndefined();
  expect((await client.sendOtp(phone)).status).toBe(200);
  expect((await client.sendOtp(phone)).code).toBe("RATE_LIMIT_EXCEEDED");
  await admin(setTo, { key: "OTP_SEND_PER_IDENTIFIER", value: previous });
  await clearRateLimits(service, phone);
});

test.for<[string, unknown, string | RegExp]>([
  ["OTP_LENGTH", 99, "OTP_LENGTH: must be a whole number from 4 to 10, not 99"],
  ["OTP_SEND_PER_IP", "often", /^OTP_SEND_PER_IP: /],
  ["OTP_PROVIDER", { providerToUse: "pigeon" }, /^OTP_PROVIDER: /],
])(
  "a malformed value is refused with a sentence, and changes nothing: %s = %o",
  async ([key, value, message], { admin, database }) => {
    const before = await storedSetting(database, key);
    const response = await admin(setTo, { key, value });
    expect(response).toMatchObject({ status: 200, code: "constraint-violation", data: null });
    expect(response.message).toMatch(message);
    expect(await storedSetting(database, key)).toEqual(before);
  },
);

test("in production the admin is told which settings are the migrator's, and changes none of them", async ({
  admin,
  database,
  onTestFinished,
}) => {
  const [row] = await database.query<{ production: boolean | null }>("select production from private.installation");
  onTestFinished(async () => {
    await database.query("update private.installation set production = $1", [row?.production]);
  });
  await database.query("update private.installation set production = true");
  const before = await storedSetting(database, "OTP_MAX_ATTEMPTS");
  const refused = await admin(setTo, { key: "OTP_MAX_ATTEMPTS", value: 6 });
  expect(refused).toMatchObject({ status: 200, code: "constraint-violation", data: null });
  expect(refused.message).toBe(
    "OTP_MAX_ATTEMPTS: in production only the migrator sets more than 5: " +
      "set it in the environment of npm run db:migrate, or by SQL as the migrator",
  );
  expect(await storedSetting(database, "OTP_MAX_ATTEMPTS")).toEqual(before);
});

test("inserting an unknown setting, or one that exists, is refused without details of the database", async ({
  service,
  admin,
}) => {
  const insert = (key: string) =>
    admin("mutation ($key: String!) { insert_settings_configuration_one(object: { key: $key, value: 1 }) { key } }", {
      key,
    });
  expect(await insert("NO_SUCH_SETTING")).toMatchObject({ code: "constraint-violation" });
  await service.set("OTP_TTL_SECONDS", 300);
  const again = await insert("OTP_TTL_SECONDS");
  expect(again).toMatchObject({
    code: "constraint-violation",
    message: "A row with this key already exists.",
  });
});

test("on_conflict updates an existing row, or keeps it", async ({ admin, database }) => {
  const upsert = (value: number, columns: string) =>
    admin(
      `mutation ($value: jsonb) { insert_settings_configuration(objects: [{ key: "OTP_LENGTH", value: $value }],
           on_conflict: { constraint: configuration_pkey, update_columns: ${columns} }) { affected_rows returning { value } } }`,
      { value },
    );
  expect((await upsert(8, "[value]")).data).toEqual({
    insert_settings_configuration: { affected_rows: 1, returning: [{ value: 8 }] },
  });
  expect((await upsert(9, "[]")).data).toEqual({
    insert_settings_configuration: { affected_rows: 0, returning: [] },
  });
  expect(await storedSetting(database, "OTP_LENGTH")).toBe(8);
  await admin('mutation { delete_settings_configuration_by_pk(key: "OTP_LENGTH") { key } }');
  expect(await storedSetting(database, "OTP_LENGTH")).toBe(6);
});
