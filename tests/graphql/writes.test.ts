import { expect } from "vitest";
import { test as baseTest } from "../../testing/graphql/graphql_fixtures.ts";
import { tokensOf } from "../../testing/service/rest_client.ts";
import { logIn, signUp } from "../../testing/service/people.ts";

// signUp needs a worker.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({}));

test("the admin inserts, revokes and deletes sessions", async ({ service, database, admin, askAs }) => {
  const person = await signUp(service);
  const [account] = await database.query<{ id: string }>('select id from "user".account where phone = $1', [
    person.phone,
  ]);
  const inserted = await admin(
    "mutation ($user: uuid) { insert_user_session_one(object: { user_id: $user }) { id role revoked_at user { phone } } }",
    { user: account?.id },
  );
  const session = inserted.data?.insert_user_session_one as { id: string };
  expect(session).toMatchObject({ role: "user", revoked_at: null, user: { phone: person.phone } });

  const tokens = await logIn(service, person);
  const now = new Date().toISOString();
  const revoked = await admin(
    "mutation ($phone: String!, $now: timestamptz!) { update_user_session(where: { user: { phone: { _eq: $phone } }, revoked_at: { _is_null: true } }, _set: { revoked_at: $now }) { affected_rows returning { id } } }",
    { phone: person.phone, now },
  );
  expect(revoked.data).toMatchObject({ update_user_session: { affected_rows: 3 } });
  expect((await askAs(tokens)("{ __typename }")).status).toBe(401);

  const moved = await admin(
    "mutation ($id: uuid!) { update_user_session_by_pk(pk_columns: { id: $id }, _set: { revoked_at: null }) { id } }",
    { id: session.id },
  );
  expect(moved).toMatchObject({
    code: "constraint-violation",
    message: "a revocation only ever moves forward",
  });
  const later = await admin(
    'mutation ($id: uuid!) { update_user_session_by_pk(pk_columns: { id: $id }, _set: { revoked_at: "infinity" }) { id } }',
    { id: session.id },
  );
  expect(later.message).toBe("a session is revoked now or was before");

  const deleted = await admin("mutation ($id: uuid!) { delete_user_session_by_pk(id: $id) { id user { phone } } }", {
    id: session.id,
  });
  expect(deleted.data).toEqual({
    delete_user_session_by_pk: { id: session.id, user: { phone: person.phone } },
  });
});

test("the admin changes an email, gives no other phone, and changes nothing else of an account", async ({
  service,
  admin,
}) => {
  const { phone } = await signUp(service);
  const set = (changes: string) =>
    admin(
      `mutation ($phone: String!) { update_user_account(where: { phone: { _eq: $phone } }, _set: { ${changes} }) { affected_rows returning { email phone } } }`,
      { phone },
    );
  expect((await set('email: "a@b.example"')).data).toEqual({
    update_user_account: { affected_rows: 1, returning: [{ email: "a@b.example", phone }] },
  });
  expect(await set('phone: "+12125559999"')).toMatchObject({
    code: "constraint-violation",
    message:
      "an admin can give a phone only to an account without one; the owner of any other account changes it by POST /auth/phone",
  });
  expect((await set('phone_verified_at: "2030-01-01"')).code).toBe("validation-failed");
});

test("deleting an account deletes its sessions", async ({ service, admin, askAs }) => {
  const person = await signUp(service);
  const tokens = await logIn(service, person);
  const { data } = await admin(
    "mutation ($phone: String!) { delete_user_account(where: { phone: { _eq: $phone } }) { affected_rows returning { phone sessions { id } } } }",
    { phone: person.phone },
  );
  expect(data).toEqual({
    delete_user_account: { affected_rows: 1, returning: [{ phone: person.phone, sessions: [] }] },
  });
  expect((await askAs(tokens)("{ __typename }")).status).toBe(401);
});

test("the result for a row that does not exist is null", async ({ admin }) => {
  const id = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
  const { data } = await admin(
    "mutation ($id: uuid!) { delete_user_session_by_pk(id: $id) { id } update_user_account_by_pk(pk_columns: { id: $id }, _set: { email: null }) { id } }",
    { id },
  );
  expect(data).toEqual({ delete_user_session_by_pk: null, update_user_account_by_pk: null });
});

// A variable that is missing or null must not mean "all rows".
test.for<[string, Record<string, unknown>]>([
  ["where: { id: { _eq: $id } }", {}],
  ["where: { id: { _eq: $id } }", { id: null }],
  ["where: { id: { _in: $ids } }", { ids: null }],
  ["where: { id: $comparison }", { comparison: null }],
  ["where: { _not: { id: { _neq: $id } } }", {}],
  ["where: $where", {}],
])(
  "a condition whose value is missing is refused: %s with %o",
  async ([argument, variables], { database, client, admin }) => {
    const { session_id } = tokensOf(await client.post("/auth/session/guest"));
    const types = {
      id: "uuid",
      ids: "[uuid!]",
      comparison: "uuid_comparison_exp",
      where: "user_session_bool_exp!",
    };
    const used = Object.entries(types).filter(
      ([name]) => argument.includes(`$${name} `) || argument.endsWith(`$${name}`),
    );
    const declarations = used.map(([name, type]) => `$${name}: ${type}`).join(", ");
    const response = await admin(
      `mutation (${declarations}) { delete_user_session(${argument}) { affected_rows } }`,
      variables,
    );
    expect(response.code).toBe("validation-failed");
    const rows = await database.query('select from "user".session where id = $1', [session_id]);
    expect(rows).toHaveLength(1);
  },
);
