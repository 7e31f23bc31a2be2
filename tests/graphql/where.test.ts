import { describe, expect } from "vitest";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";

// Three accounts with 0, 1 and 2 sessions.
const accounts = ["one", "two", "three"].map((name, index) => ({
  id: `00000000-0000-7000-8000-00000000000${index + 1}`,
  phone: `+1212555010${index + 1}`,
  email: name === "two" ? null : `${name}@Mail.example`,
  sessions: index,
}));

/** Returns the last digits of the phones of the accounts that the query returns, in its order. */
const test = baseTest.extend(
  "findAccounts",
  ({ admin }) =>
    async (args: string, variables?: Record<string, unknown>, declarations = ""): Promise<string> => {
      const { data, message } = await admin(`query ${declarations} { user_account(${args}) { phone } }`, variables);
      if (!data) throw new Error(message);
      return (data.user_account as { phone: string }[]).map(({ phone }) => phone.slice(-1)).join("");
    },
);

test.beforeAll(async ({ database }) => {
  // Filters must tell capitals apart, which no email of an account has: here the column stands for any text.
  await database.query('alter table "user".account drop constraint account_email_is_normalized');
  for (const { id, phone, email, sessions } of accounts) {
    await database.query(
      `insert into "user".account (id, phone, email, phone_verified_at, created_at) values ($1, $2, $3, now(), now() - $4 * interval '1 day')`,
      [id, phone, email, sessions],
    );
    await database.query('insert into "user".session (user_id) select $1 from generate_series(1, $2)', [id, sessions]);
  }
});

describe("where", () => {
  test.for<[string, string]>([
    [`{}`, "123"],
    [`{ phone: { _eq: "+12125550102" } }`, "2"],
    [`{ phone: { _neq: "+12125550102" } }`, "13"],
    [`{ phone: { _gt: "+12125550101", _lte: "+12125550102" } }`, "2"],
    [`{ phone: { _gte: "+12125550102" } }`, "23"],
    [`{ phone: { _lt: "+12125550102" } }`, "1"],
    [`{ phone: { _in: ["+12125550101", "+12125550103"] } }`, "13"],
    [`{ phone: { _in: [] } }`, ""],
    [`{ phone: { _nin: ["+12125550101"] } }`, "23"],
    [`{ phone: { _nin: [] } }`, "123"],
    [`{ email: { _is_null: true } }`, "2"],
    [`{ email: { _is_null: false } }`, "13"],
    [`{ email: { _like: "%@Mail%" } }`, "13"],
    [`{ email: { _like: "%@mail%" } }`, ""],
    [`{ email: { _ilike: "ONE@mail%" } }`, "1"],
    [`{ email: { _nilike: "one%" } }`, "3"],
    [`{ email: { _nlike: "one%" } }`, "3"],
    [`{ id: { _eq: "00000000-0000-7000-8000-000000000003" } }`, "3"],
    [`{ _and: [{ phone: { _gt: "+12125550101" } }, { email: { _is_null: false } }] }`, "3"],
    [`{ _and: [] }`, "123"],
    [`{ _or: [{ phone: { _eq: "+12125550101" } }, { email: { _is_null: true } }] }`, "12"],
    [`{ _or: [] }`, ""],
    [`{ _not: { email: { _is_null: true } } }`, "13"],
    [`{ sessions: {} }`, "23"],
    [`{ _not: { sessions: {} } }`, "1"],
    [`{ sessions: { user: { phone: { _eq: "+12125550103" } } } }`, "3"],
    [`{ sessions: { revoked_at: { _is_null: false } } }`, ""],
    [`{ email: { _eq: "' or true; --" } }`, ""],
  ])("%s", async ([where, expected], { findAccounts }) => {
    expect(await findAccounts(`where: ${where}, order_by: { phone: asc }`)).toBe(expected);
  });

  test("through a to-one relation, too", async ({ admin }) => {
    const { data } = await admin(
      '{ user_session_aggregate(where: { user: { phone: { _eq: "+12125550103" } } }) { aggregate { count } } }',
    );
    expect(data).toEqual({ user_session_aggregate: { aggregate: { count: 2 } } });
  });

  test("on jsonb", async ({ admin }) => {
    const { data } = await admin(
      '{ settings_configuration(where: { value: { _eq: 86399 } }) { key } PASSWORD: settings_configuration(where: { key: { _like: "PASSWORD_HASH%" }, value: { _in: [4, 5] } }) { key } }',
    );
    expect(data).toEqual({ settings_configuration: [], PASSWORD: [{ key: "PASSWORD_HASH_COST" }] });
  });

  test.for<[string, string, Record<string, unknown>, string]>([
    ["$where: user_account_bool_exp", "where: $where", { where: { phone: { _eq: "+12125550101" } } }, "1"],
    ["$phone: String", "where: { phone: { _eq: $phone } }", { phone: "+12125550102" }, "2"],
    ["$where: user_account_bool_exp", "where: $where, order_by: { phone: asc }", {}, "123"],
    ["$list: [String!]", "where: { phone: { _in: $list } }", { list: ["+12125550103"] }, "3"],
  ])("with variables: %s", async ([declarations, args, variables, expected], { findAccounts }) => {
    expect(await findAccounts(args, variables, `(${declarations})`)).toBe(expected);
  });
});

describe("order_by, limit, offset", () => {
  test.for<[string, string]>([
    ["order_by: { phone: desc }", "321"],
    ["order_by: [{ created_at: desc }]", "123"],
    ["order_by: [{ email: asc }, { phone: asc }]", "132"],
    ["order_by: { email: asc_nulls_first }", "213"],
    ["order_by: { email: desc }", "231"],
    ["order_by: { email: desc_nulls_last }", "312"],
    ["order_by: { phone: asc }, limit: 1", "1"],
    ["order_by: { phone: asc }, limit: 1, offset: 1", "2"],
    ["order_by: { phone: asc }, offset: 2", "3"],
    ["limit: 0", ""],
  ])("%s", async ([args, expected], { findAccounts }) => {
    expect(await findAccounts(args)).toBe(expected);
  });

  test("on a relation; the limit of an aggregate is that of the rows that it counts", async ({ admin }) => {
    const { data } = await admin(
      `{ user_account(order_by: { phone: desc }, limit: 1) { sessions(limit: 1, where: { role: { _eq: "user" } }) { role } }
         user_account_aggregate(limit: 1, where: { email: { _is_null: false } }) { aggregate { count } nodes { phone } } }`,
    );
    expect(data).toMatchObject({
      user_account: [{ sessions: [{ role: "user" }] }],
      user_account_aggregate: { aggregate: { count: 1 } },
    });
    expect((data?.user_account_aggregate as { nodes: unknown[] }).nodes).toHaveLength(1);
  });

  // In the schema, and so after coercion, phone comes before email.
  const [emailFirst, phoneFirst] = [
    "{ email: asc_nulls_first, phone: desc }",
    "{ phone: desc, email: asc_nulls_first }",
  ];
  const emailFirstJson = { email: "asc_nulls_first", phone: "desc" };
  const phoneFirstJson = { phone: "desc", email: "asc_nulls_first" };

  test.for<[string, string, Record<string, unknown>, string]>([
    ["", `order_by: ${emailFirst}`, {}, "213"],
    ["", `order_by: ${phoneFirst}`, {}, "321"],
    ["", `order_by: [${emailFirst}, { id: asc }]`, {}, "213"],
    ["", `order_by: [{ disabled_at: asc }, ${emailFirst}]`, {}, "213"],
    ["($o: [user_account_order_by!])", "order_by: $o", { o: emailFirstJson }, "213"],
    ["($o: [user_account_order_by!]!)", "order_by: $o", { o: [phoneFirstJson, emailFirstJson] }, "321"],
    ["($o: [user_account_order_by!])", "order_by: $o", { o: [{ disabled_at: "asc" }, emailFirstJson] }, "213"],
    ["($o: [user_account_order_by!])", "order_by: $o", { o: null }, "123"],
    [`($o: [user_account_order_by!] = ${emailFirst})`, "order_by: $o", {}, "213"],
    [`($o: [user_account_order_by!] = [${emailFirst}])`, "order_by: $o", { o: phoneFirstJson }, "321"],
    ["($o: user_account_order_by!)", "order_by: [$o]", { o: emailFirstJson }, "213"],
    ["($o: user_account_order_by!)", "order_by: [$o, { id: asc }]", { o: phoneFirstJson }, "321"],
    [`($o: user_account_order_by! = ${emailFirst})`, "order_by: [$o]", {}, "213"],
    ["($d: order_by)", "order_by: { email: $d, phone: desc }", { d: "asc_nulls_first" }, "213"],
    ["($d: order_by)", "order_by: { email: $d, phone: desc }", {}, "321"],
  ])("several columns sort as they are written: %s %s %o", async (row, { findAccounts }) => {
    const [declarations, args, variables, expected] = row;
    expect(await findAccounts(args, variables, declarations)).toBe(expected);
  });

  test("also in an aggregate, and in a fragment", async ({ admin }) => {
    const { data } = await admin(
      `query ($o: [user_account_order_by!]) { ...root }
       fragment root on query_root { user_account_aggregate(order_by: $o) { nodes { email } } user_account(order_by: ${emailFirst}) { email } }`,
      { o: emailFirstJson },
    );
    const expected = [{ email: null }, { email: "one@Mail.example" }, { email: "three@Mail.example" }];
    expect(data).toEqual({ user_account_aggregate: { nodes: expected }, user_account: expected });
  });
});
