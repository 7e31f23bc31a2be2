import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from "postgraphile/graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { askGraphql, type Ask } from "../../../testing/graphql_client.ts";
import { startService, type Service } from "../../../testing/service.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";

let service: Service;
let token: string;
let ask: Ask;
let admin: Ask;
beforeAll(async () => {
  service = await startService({ worker: false, env: { ADMIN_SECRET } });
  token = tokensOf(await service.client.post("/auth/session/guest")).access_token;
  ask = askGraphql(service.url, bearer(token));
  admin = askGraphql(service.url, { "x-admin-secret": ADMIN_SECRET });
});
afterAll(() => service.stop());

const introspection = "{ __schema { queryType { name } types { name fields { name } } } }";

test("introspection is the admin's", async () => {
  expect((await admin(introspection)).code).toBeUndefined();
  expect((await ask(introspection)).code).toBe("validation-failed");
  expect((await ask('{ __type(name: "user_session") { name } }')).code).toBe("validation-failed");
  expect((await ask("{ __typename }")).code).toBeUndefined();
});

test("introspection is everybody's with GRAPHQL_INTROSPECTION=on, of what each may see", async () => {
  const open = await service.startAnotherServer({ GRAPHQL_INTROSPECTION: "on" });
  const answered = await askGraphql(open.url, bearer(token))(introspection);
  await open.stop();
  expect(answered.code).toBeUndefined();
  const text = JSON.stringify(answered.body);
  expect(text).toContain("user_session");
  expect(text).not.toMatch(/settings_|rate_limit|hash|token_id/);
});

describe("a schema that is not shown is not suggested either", () => {
  const faults: [string, string, Record<string, unknown>][] = [
    ["a field", "{ user_session { i roles } }", {}],
    ["a root field", "{ user_sessio { id } }", {}],
    ["an argument", "{ user_session(limi: 1) { id } }", {}],
    ["an input field", "{ user_session(where: {user_i: {}}) { id } }", {}],
    ["an enumeration's value", "{ user_session(order_by: [{id: as}]) { id } }", {}],
    ["a type", "query ($w: user_session_bool_ex) { user_session(where: $w) { id } }", {}],
    ["a fragment's type", "{ user_session { ... on user_sessio { id } } }", {}],
    ["a directive", "{ user_session { id @skipp(if: true) } }", {}],
    [
      "a variable's input field",
      "query ($w: user_session_bool_exp) { user_session(where: $w) { id } }",
      { w: { user_i: {} } },
    ],
    [
      "a variable's enumeration value",
      "query ($o: [user_session_order_by!]) { user_session(order_by: $o) { id } }",
      { o: [{ id: "as" }] },
    ],
  ];

  test.each(faults)("%s", async (_what, query, variables) => {
    const answered = await ask(query, variables);
    expect(answered.code).toBe("validation-failed");
    expect(JSON.stringify(answered.body)).not.toMatch(/did you mean/i);
  });

  test("and one that is shown is", async () => {
    expect((await admin("{ user_sessio { id } }")).message).toMatch(/Did you mean "user_session"/);
  });
});

test("the usual clients' introspection is within the limits", async () => {
  const answered = await admin(
    getIntrospectionQuery({
      inputValueDeprecation: true,
      specifiedByUrl: true,
      oneOf: true,
      schemaDescription: true,
    }),
  );
  expect(answered.code).toBeUndefined();
  const schema = buildClientSchema(answered.data as unknown as IntrospectionQuery);
  expect(schema.getType("user_session")).toBeDefined();
});

test("fields inside fields multiply, and are refused", async () => {
  const answered = await admin("{ __schema { types { fields { type { fields { name } } } } } }");
  expect(answered).toMatchObject({ code: "limit-exceeded" });
  const inFragments = await admin(
    "{ __schema { types { ...f } } } fragment f on __Type { fields { type { ...g } } } fragment g on __Type { enumValues { name } }",
  );
  expect(inFragments).toMatchObject({ code: "limit-exceeded" });
});
