import { afterAll, beforeAll, expect, test } from "vitest";
import { askGraphql, type Ask } from "../../../testing/graphql_client.ts";
import { storedSetting } from "../../../testing/stored_setting.ts";
import { startService, type Service } from "../../../testing/service.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";

let service: Service;
let admin: Ask;
beforeAll(async () => {
  service = await startService({ env: { ADMIN_SECRET } });
  admin = askGraphql(service.url, { "x-hasura-admin-secret": ADMIN_SECRET });
});
afterAll(() => service.stop());

const valueOf = (key: string) => storedSetting(service.database, key);
const setThree = (second: number) =>
  admin(
    `mutation ($second: jsonb!) {
         first: update_settings_configuration_by_pk(pk_columns: { key: "PASSWORD_MIN_LENGTH" }, _set: { value: 12 }) { value }
         second: update_settings_configuration_by_pk(pk_columns: { key: "OTP_MAX_ATTEMPTS" }, _set: { value: $second }) { value }
         third: update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: { value: 299 }) { value }
       }`,
    { second },
  );

test("when one mutation of a request fails, all are rolled back, and none is reported as done", async () => {
  const response = await setThree(0);
  expect(response).toMatchObject({ code: "constraint-violation", data: null });
  expect(response.body.errors).toHaveLength(1);
  expect(response.body.errors?.[0]?.path).toEqual(["second"]);
  expect(await valueOf("PASSWORD_MIN_LENGTH")).toBe(8);
  expect(await valueOf("OTP_TTL_SECONDS")).toBe(300);
});

test("all are rolled back, too, when the server refuses one before the database does", async () => {
  const response = await admin(
    `mutation {
         first: update_settings_configuration_by_pk(pk_columns: { key: "PASSWORD_MIN_LENGTH" }, _set: { value: 13 }) { value }
         second: update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: {}) { value }
       }`,
  );
  expect(response).toMatchObject({ code: "validation-failed", data: null });
  expect(await valueOf("PASSWORD_MIN_LENGTH")).toBe(8);
});

test("when all succeed, all are committed", async () => {
  expect((await setThree(4)).data).toEqual({
    first: { value: 12 },
    second: { value: 4 },
    third: { value: 299 },
  });
  expect(await valueOf("PASSWORD_MIN_LENGTH")).toBe(12);
});

test("mutations leave no transaction open", async () => {
  const [row] = await service.database.query<{ count: number }>(
    "select count(*)::integer from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and application_name = 'latchkey graphql'",
  );
  expect(row?.count).toBe(0);
});
