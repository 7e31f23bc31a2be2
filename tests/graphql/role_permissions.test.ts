import { describe, expect } from "vitest";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";
import { type Tokens } from "../../testing/service/rest_client.ts";
import { type Ask } from "../../testing/graphql/graphql_client.ts";
import { logIn, newPhone, signUp, type Person } from "../../testing/service/people.ts";
import type { Service } from "../../testing/service/service.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({}))
  .extend("a", { scope: "file" }, ({ service, askAs }) => newUser(service, askAs))
  .extend("b", { scope: "file" }, ({ service, askAs }) => newUser(service, askAs))
  .extend("callers", { scope: "file" }, ({ guest, a, b, admin }) => ({ guest, a: a.ask, b: b.ask, admin }));
// signUp needs a worker.
async function newUser(service: Service, askAs: (tokens: Tokens) => Ask) {
  const person = await signUp(service);
  const tokens = await logIn(service, person);
  return { person, tokens, ask: askAs(tokens) };
}

const idsOf = (rows: unknown): string[] => (rows as { id: string }[]).map(({ id }) => id).sort();

const sessionIds = async (database: TestDatabase, of?: Person): Promise<string[]> => {
  const rows = await database.query<{ id: string }>(
    `select s.id from "user".session s left join "user".account c on c.id = s.user_id where $1::text is null or c.phone = $1`,
    [of?.phone ?? null],
  );
  return idsOf(rows);
};

describe("who sees what", () => {
  test("a guest sees its own session, and empty lists of other types", async ({ guestTokens, callers }) => {
    const { data } = await callers.guest(
      "{ user_session { id user_id role user { id } } user_account { id } platform_otp_transaction { id } " +
        "user_account_aggregate { aggregate { count } } }",
    );
    expect(data).toEqual({
      user_session: [{ id: guestTokens.session_id, user_id: null, role: "guest", user: null }],
      user_account: [],
      platform_otp_transaction: [],
      user_account_aggregate: { aggregate: { count: 0 } },
    });
  });

  test("a user sees their own account, sessions and codes, and no others by any query", async ({
    client,
    database,
    a,
    b,
    callers,
  }) => {
    // A code for A's phone, and one for another phone.
    await client.sendOtp(a.person.phone, "LOGIN");
    await client.sendOtp(newPhone(), "LOGIN");
    const { data } = await callers.a(
      "{ user_session { id user { phone } } user_account { phone sessions { id } } platform_otp_transaction { identifier purpose } " +
        "user_session_aggregate { aggregate { count } nodes { id } } }",
    );
    const own = await sessionIds(database, a.person);
    expect(idsOf(data?.user_session)).toEqual(own);
    expect(data).toMatchObject({
      user_account: [{ phone: a.person.phone }],
      platform_otp_transaction: [{ identifier: a.person.phone, purpose: "LOGIN" }],
      user_session_aggregate: { aggregate: { count: own.length } },
    });

    const foreign = await callers.a(
      "query ($id: uuid!, $phone: String) { user_session_by_pk(id: $id) { id } user_session(where: { id: { _eq: $id } }) { id } " +
        "user_account(where: { phone: { _eq: $phone } }) { id } through: user_session(where: { user: { phone: { _eq: $phone } } }) { id } }",
      { id: b.tokens.session_id, phone: b.person.phone },
    );
    expect(foreign.data).toEqual({
      user_session_by_pk: null,
      user_session: [],
      user_account: [],
      through: [],
    });
  });

  test("the admin sees all five tables", async ({ database, callers }) => {
    const { data } = await callers.admin(
      "{ user_session { id } user_account { phone } platform_otp_transaction { id } platform_rate_limit { key hits } settings_configuration { key value } }",
    );
    expect(idsOf(data?.user_session)).toEqual(await sessionIds(database));
    for (const table of ["user_account", "platform_otp_transaction", "platform_rate_limit"])
      expect((data?.[table] as unknown[]).length).toBeGreaterThan(1);
    expect((data?.settings_configuration as unknown[]).length).toBeGreaterThan(10);
  });

  test.for(["settings_configuration { key }", "platform_rate_limit { key }"])(
    "the schema of guests and users has no %s",
    async (selection, { callers }) => {
      for (const ask of [callers.guest, callers.a]) {
        const response = await ask(`{ ${selection} }`);
        expect(response.code).toBe("validation-failed");
        expect(response.message).toContain("Cannot query field");
      }
    },
  );

  test.for([
    ...["access_token_id", "refresh_token_id", "previous_refresh_token_id", "rotated_at"].map(
      (column) => `user_session { ${column} }`,
    ),
    ...["password_hash"].map((column) => `user_account { ${column} }`),
    ...["code_hash", "counted_at", "delivery"].map((column) => `platform_otp_transaction { ${column} }`),
    'user_account(where: { password_hash: { _like: "$2a%" } }) { id }',
    "user_account(order_by: { password_hash: asc }) { id }",
    "user_session(where: { user: { password_hash: { _is_null: false } } }) { id }",
  ])("no schema has a secret column: %s", async (selection, { callers }) => {
    for (const ask of Object.values(callers)) {
      expect((await ask(`{ ${selection} }`)).code).toBe("validation-failed");
    }
  });

  test("a user cannot write to tables", async ({ callers }) => {
    for (const mutation of [
      'insert_user_session_one(object: { user_id: "00000000-0000-0000-0000-000000000000" }) { id }',
      'update_user_account(where: {}, _set: { email: "a@b.example" }) { affected_rows }',
      "delete_user_session(where: {}) { affected_rows }",
      "delete_platform_otp_transaction(where: {}) { affected_rows }",
    ]) {
      expect((await callers.a(`mutation { ${mutation} }`)).code).toBe("validation-failed");
    }
  });

  test("claims of a request are reset before other callers use its connection", async ({ a, callers }) => {
    const asks = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? callers.a : callers.guest));
    const answers = await Promise.all(asks.map((ask) => ask("{ user_account { phone } }")));
    answers.forEach(({ data }, index) =>
      expect(data).toEqual({ user_account: index % 2 === 0 ? [{ phone: a.person.phone }] : [] }),
    );
  });
});
