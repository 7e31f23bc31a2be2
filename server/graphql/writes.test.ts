import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, tokensOf } from "../../testing/client.ts";
import { askGraphql, type Ask } from "../../testing/graphql.ts";
import { forgetLimits, logIn, newPhone, signUp } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";

let service: Service;
let admin: Ask;
beforeAll(async () => {
  service = await startService({ env: { ADMIN_SECRET } });
  admin = askGraphql(service.url, { "x-hasura-admin-secret": ADMIN_SECRET });
});
afterAll(() => service.stop());

const valueOf = async (key: string): Promise<unknown> => {
  const [row] = await service.database.query<{ value: unknown }>(
    "select value from settings.configuration where key = $1",
    [key],
  );
  return row?.value;
};
const setTo =
  "mutation ($key: String!, $value: jsonb!) { update_settings_configuration_by_pk(pk_columns: { key: $key }, _set: { value: $value }) { key value updated_at } }";

describe("settings", () => {
  test("the next SMS has the text that the admin has just set", async () => {
    const value = {
      providerToUse: "http",
      template: "Changed: {{code}} ({{minutes}} min)",
      http: { url: service.gateway.url },
    };
    const { data } = await admin(setTo, { key: "OTP_PROVIDER", value });
    expect(data).toMatchObject({ update_settings_configuration_by_pk: { key: "OTP_PROVIDER", value } });
    const phone = newPhone();
    const [sms] = await Promise.all([service.gateway.next(phone), service.client.sendOtp(phone)]);
    expect(sms.body).toMatch(/^Changed: [0-9]{6} \([0-9] min\)$/);
  });

  test("the next request meets the limit that the admin has just set", async () => {
    const phone = newPhone();
    const old = await valueOf("OTP_SEND_PER_IDENTIFIER");
    expect((await admin(setTo, { key: "OTP_SEND_PER_IDENTIFIER", value: "1/3600" })).code).toBeUndefined();
    expect((await service.client.sendOtp(phone)).status).toBe(200);
    expect((await service.client.sendOtp(phone)).code).toBe("RATE_LIMIT_EXCEEDED");
    await admin(setTo, { key: "OTP_SEND_PER_IDENTIFIER", value: old });
    await forgetLimits(service, phone);
  });

  test.each([
    ["OTP_LENGTH", 99, "OTP_LENGTH: must be a whole number from 4 to 10, not 99"],
    ["OTP_SEND_PER_IP", "often", /^OTP_SEND_PER_IP: /],
    ["OTP_PROVIDER", { providerToUse: "pigeon" }, /^OTP_PROVIDER: /],
  ])(
    "a malformed value is refused with a sentence, and changes nothing: %s = %o",
    async (key, value, message) => {
      const before = await valueOf(key);
      const answered = await admin(setTo, { key, value });
      expect(answered).toMatchObject({ status: 200, code: "constraint-violation", data: null });
      expect(answered.message).toMatch(message);
      expect(await valueOf(key)).toEqual(before);
    },
  );

  test("an unknown setting and one that is there already are refused without a word of the database", async () => {
    const insert = (key: string) =>
      admin(
        "mutation ($key: String!) { insert_settings_configuration_one(object: { key: $key, value: 1 }) { key } }",
        {
          key,
        },
      );
    expect(await insert("NO_SUCH_SETTING")).toMatchObject({ code: "constraint-violation" });
    await service.set("OTP_TTL_SECONDS", 300);
    const again = await insert("OTP_TTL_SECONDS");
    expect(again).toMatchObject({ code: "constraint-violation", message: "There is such a row already." });
  });

  test("on_conflict updates, or passes over, what is there", async () => {
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
    expect(await valueOf("OTP_LENGTH")).toBe(8);
    await admin('mutation { delete_settings_configuration_by_pk(key: "OTP_LENGTH") { key } }');
    expect(await valueOf("OTP_LENGTH")).toBeUndefined();
  });
});

describe("several mutations in one request", () => {
  const two = (second: number) =>
    admin(
      `mutation ($second: jsonb!) {
         first: update_settings_configuration_by_pk(pk_columns: { key: "PASSWORD_MIN_LENGTH" }, _set: { value: 12 }) { value }
         second: update_settings_configuration_by_pk(pk_columns: { key: "OTP_MAX_ATTEMPTS" }, _set: { value: $second }) { value }
         third: update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: { value: 299 }) { value }
       }`,
      { second },
    );

  test("are all undone when one fails, and none is told as done", async () => {
    const answered = await two(0);
    expect(answered).toMatchObject({ code: "constraint-violation", data: null });
    expect(answered.body.errors).toHaveLength(1);
    expect(answered.body.errors?.[0]?.path).toEqual(["second"]);
    expect(await valueOf("PASSWORD_MIN_LENGTH")).toBe(8);
    expect(await valueOf("OTP_TTL_SECONDS")).toBe(300);
  });

  test("are all undone too when it is not the database that refuses", async () => {
    const answered = await admin(
      `mutation {
         first: update_settings_configuration_by_pk(pk_columns: { key: "PASSWORD_MIN_LENGTH" }, _set: { value: 13 }) { value }
         second: update_settings_configuration_by_pk(pk_columns: { key: "OTP_TTL_SECONDS" }, _set: {}) { value }
       }`,
    );
    expect(answered).toMatchObject({ code: "validation-failed", data: null });
    expect(await valueOf("PASSWORD_MIN_LENGTH")).toBe(8);
  });

  test("are all there when all succeed", async () => {
    expect((await two(4)).data).toEqual({
      first: { value: 12 },
      second: { value: 4 },
      third: { value: 299 },
    });
    expect(await valueOf("PASSWORD_MIN_LENGTH")).toBe(12);
  });

  test("leave no transaction open behind them", async () => {
    const [row] = await service.database.query<{ count: number }>(
      "select count(*)::integer from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and application_name = 'latchkey graphql'",
    );
    expect(row?.count).toBe(0);
  });
});

describe("sessions and accounts", () => {
  test("the admin opens, revokes and deletes sessions", async () => {
    const person = await signUp(service);
    const [account] = await service.database.query<{ id: string }>(
      'select id from "user".account where phone = $1',
      [person.phone],
    );
    const opened = await admin(
      "mutation ($user: uuid) { insert_user_session_one(object: { user_id: $user }) { id role revoked_at user { phone } } }",
      { user: account?.id },
    );
    const session = opened.data?.insert_user_session_one as { id: string };
    expect(session).toMatchObject({ role: "user", revoked_at: null, user: { phone: person.phone } });

    const tokens = await logIn(service, person);
    const now = new Date().toISOString();
    const revoked = await admin(
      "mutation ($phone: String!, $now: timestamptz!) { update_user_session(where: { user: { phone: { _eq: $phone } }, revoked_at: { _is_null: true } }, _set: { revoked_at: $now }) { affected_rows returning { id } } }",
      { phone: person.phone, now },
    );
    expect(revoked.data).toMatchObject({ update_user_session: { affected_rows: 3 } });
    expect((await askGraphql(service.url, bearer(tokens.access_token))("{ __typename }")).status).toBe(401);

    const undone = await admin(
      "mutation ($id: uuid!) { update_user_session_by_pk(pk_columns: { id: $id }, _set: { revoked_at: null }) { id } }",
      { id: session.id },
    );
    expect(undone).toMatchObject({
      code: "constraint-violation",
      message: "a revocation only ever moves forward",
    });

    const deleted = await admin(
      "mutation ($id: uuid!) { delete_user_session_by_pk(id: $id) { id user { phone } } }",
      { id: session.id },
    );
    expect(deleted.data).toEqual({
      delete_user_session_by_pk: { id: session.id, user: { phone: person.phone } },
    });
  });

  test("the admin changes an email, and nothing else of an account", async () => {
    const { phone } = await signUp(service);
    const set = (changes: string) =>
      admin(
        `mutation ($phone: String!) { update_user_account(where: { phone: { _eq: $phone } }, _set: { ${changes} }) { affected_rows returning { email phone } } }`,
        { phone },
      );
    expect((await set('email: "a@b.example"')).data).toEqual({
      update_user_account: { affected_rows: 1, returning: [{ email: "a@b.example", phone }] },
    });
    expect((await set('phone: "+12125559999"')).code).toBe("validation-failed");
  });

  test("an account that is deleted takes its sessions along", async () => {
    const person = await signUp(service);
    const tokens = await logIn(service, person);
    const { data } = await admin(
      "mutation ($phone: String!) { delete_user_account(where: { phone: { _eq: $phone } }) { affected_rows returning { phone sessions { id } } } }",
      { phone: person.phone },
    );
    expect(data).toEqual({
      delete_user_account: { affected_rows: 1, returning: [{ phone: person.phone, sessions: [] }] },
    });
    expect((await askGraphql(service.url, bearer(tokens.access_token))("{ __typename }")).status).toBe(401);
  });

  test("a row that is not there is null", async () => {
    const id = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
    const { data } = await admin(
      "mutation ($id: uuid!) { delete_user_session_by_pk(id: $id) { id } update_user_account_by_pk(pk_columns: { id: $id }, _set: { email: null }) { id } }",
      { id },
    );
    expect(data).toEqual({ delete_user_session_by_pk: null, update_user_account_by_pk: null });
  });

  // A variable that was left out, or is null, must not mean "all of them".
  test.each([
    ["where: { id: { _eq: $id } }", {}],
    ["where: { id: { _eq: $id } }", { id: null }],
    ["where: { id: { _in: $ids } }", { ids: null }],
    ["where: { id: $comparison }", { comparison: null }],
    ["where: { _not: { id: { _neq: $id } } }", {}],
    ["where: $where", {}],
  ])("a condition that lost its value is refused: %s with %o", async (argument, variables) => {
    const { session_id } = tokensOf(await service.client.post("/auth/session/guest"));
    const types = {
      id: "uuid",
      ids: "[uuid!]",
      comparison: "uuid_comparison_exp",
      where: "user_session_bool_exp!",
    };
    const declared = Object.entries(types).filter(
      ([name]) => argument.includes(`$${name} `) || argument.endsWith(`$${name}`),
    );
    const variable = declared.map(([name, type]) => `$${name}: ${type}`).join(", ");
    const answered = await admin(
      `mutation (${variable}) { delete_user_session(${argument}) { affected_rows } }`,
      variables,
    );
    expect(answered.code).toBe("validation-failed");
    const rows = await service.database.query('select from "user".session where id = $1', [session_id]);
    expect(rows).toHaveLength(1);
  });
});
