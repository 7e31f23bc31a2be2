import { expect } from "vitest";
import { test } from "../../testing/graphql/graphql_fixtures.ts";
import { type Ask } from "../../testing/graphql/graphql_client.ts";
import { storedSetting } from "../../testing/service/stored_setting.ts";

const setThree = (admin: Ask, second: number) =>
  admin(
    `mutation ($second: jsonb!) {
         first: update_settings_configuration_by_pk(pk_columns: { key: "PASSWORD_MIN_LENGTH" }, _set: { value: 12 }) { value }
         second: update_settings_configuration_by_pk(pk_columns: { key: "OTP_MAX_ATTEMPTS" }, _set: { value: $second }) { value }
         third: update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: { value: 299 }) { value }
       }`,
    { second },
  );

test("when one mutation of a request fails, all are rolled back, and none is reported as done", async ({
  database,
  admin,
}) => {
  const response = await setThree(admin, 0);
  expect(response).toMatchObject({ code: "constraint-violation", data: null });
  expect(response.body.errors).toHaveLength(1);
  expect(response.body.errors?.[0]?.path).toEqual(["second"]);
  expect(await storedSetting(database, "PASSWORD_MIN_LENGTH")).toBe(8);
  expect(await storedSetting(database, "OTP_TTL_SECONDS")).toBe(300);
});

test("all are rolled back, too, when the server refuses one before the database does", async ({ admin, database }) => {
  const response = await admin(
    `mutation {
         first: update_settings_configuration_by_pk(pk_columns: { key: "PASSWORD_MIN_LENGTH" }, _set: { value: 13 }) { value }
         second: update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: { value: 301 }, _append: { value: 1 }) { value }
       }`,
  );
  expect(response).toMatchObject({ code: "validation-failed", data: null });
  expect(await storedSetting(database, "PASSWORD_MIN_LENGTH")).toBe(8);
});

test("when all succeed, all are committed", async ({ database, admin }) => {
  expect((await setThree(admin, 4)).data).toEqual({
    first: { value: 12 },
    second: { value: 4 },
    third: { value: 299 },
  });
  expect(await storedSetting(database, "PASSWORD_MIN_LENGTH")).toBe(12);
});

test("mutations leave no transaction open", async ({ database }) => {
  const [row] = await database.query<{ count: number }>(
    "select count(*)::integer from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and application_name like 'latchkey graphql%'",
  );
  expect(row?.count).toBe(0);
});
