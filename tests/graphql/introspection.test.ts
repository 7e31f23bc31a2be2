import { readFileSync } from "node:fs";
import { buildClientSchema, buildSchema, getIntrospectionQuery, type IntrospectionQuery } from "postgraphile/graphql";
import { describe, expect } from "vitest";
import { test } from "../../testing/graphql/graphql_fixtures.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";

const introspection = "{ __schema { queryType { name } types { name fields { name } } } }";

test("only the admin may introspect by default", async ({ guest, admin }) => {
  expect((await admin(introspection)).code).toBeUndefined();
  expect((await guest(introspection)).code).toBe("validation-failed");
  expect((await guest('{ __type(name: "user_session") { name } }')).code).toBe("validation-failed");
  expect((await guest("{ __typename }")).code).toBeUndefined();
});

test("with GRAPHQL_INTROSPECTION=on everybody may introspect their own schema", async ({ service, guestTokens }) => {
  const server = await service.startAnotherServer({ GRAPHQL_INTROSPECTION: "on" });
  const response = await askGraphql(server.url, bearer(guestTokens.access_token))(introspection);
  await server.stop();
  expect(response.code).toBeUndefined();
  const text = JSON.stringify(response.body);
  expect(text).toContain("user_session");
  expect(text).not.toMatch(/settings_|rate_limit|hash|token_id/);
});

describe("without introspection, errors suggest no names of the schema", () => {
  const invalidDocuments: [string, string, Record<string, unknown>][] = [
    ["a field", "{ user_session { i roles } }", {}],
    ["a root field", "{ user_sessio { id } }", {}],
    ["an argument", "{ user_session(limi: 1) { id } }", {}],
    ["an input field", "{ user_session(where: {user_i: {}}) { id } }", {}],
    ["an enum value", "{ user_session(order_by: [{id: as}]) { id } }", {}],
    ["a type", "query ($w: user_session_bool_ex) { user_session(where: $w) { id } }", {}],
    ["a fragment's type", "{ user_session { ... on user_sessio { id } } }", {}],
    ["a directive", "{ user_session { id @skipp(if: true) } }", {}],
    [
      "a variable's input field",
      "query ($w: user_session_bool_exp) { user_session(where: $w) { id } }",
      { w: { user_i: {} } },
    ],
    [
      "a variable's enum value",
      "query ($o: [user_session_order_by!]) { user_session(order_by: $o) { id } }",
      { o: [{ id: "as" }] },
    ],
  ];

  test.for(invalidDocuments)("%s", async ([_what, query, variables], { guest }) => {
    const response = await guest(query, variables);
    expect(response.code).toBe("validation-failed");
    expect(JSON.stringify(response.body)).not.toMatch(/did you mean/i);
  });

  test("with introspection, they do", async ({ admin }) => {
    expect((await admin("{ user_sessio { id } }")).message).toMatch(/Did you mean "user_session"/);
  });
});

test("the introspection query of common clients is within the limits", async ({ admin }) => {
  const response = await admin(
    getIntrospectionQuery({
      inputValueDeprecation: true,
      specifiedByUrl: true,
      oneOf: true,
      schemaDescription: true,
    }),
  );
  expect(response.code).toBeUndefined();
  const schema = buildClientSchema(response.data as unknown as IntrospectionQuery);
  expect(schema.getType("user_session")).toBeDefined();
});

test("introspection lists inside each other are refused", async ({ admin }) => {
  const response = await admin("{ __schema { types { fields { type { fields { name } } } } } }");
  expect(response).toMatchObject({ code: "limit-exceeded" });
  const inFragments = await admin(
    "{ __schema { types { ...f } } } fragment f on __Type { fields { type { ...g } } } fragment g on __Type { enumValues { name } }",
  );
  expect(inFragments).toMatchObject({ code: "limit-exceeded" });
});

describe("GET /v1/graphql/schema.graphql", () => {
  const path = "/v1/graphql/schema.graphql";

  test("is 404 in the shape of every error while introspection is for the admin only", async ({ service }) => {
    const response = await fetch(service.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: "INVALID_REQUEST", details: { reason: "not_found" } },
      meta: { path },
    });
  });

  test("is the schema of users where introspection is on, without the admin secret", async ({ service }) => {
    const server = await service.startAnotherServer({ GRAPHQL_INTROSPECTION: "on" });
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const text = await response.text();
    expect(text).toBe(readFileSync("graphql/hasura/schema.user.graphql", "utf8"));
    const schema = buildSchema(text);
    expect(schema.getQueryType()?.getFields()).toHaveProperty("user_session");
    expect(schema.getType("settings_configuration")).toBeUndefined();
    const headers = { "if-none-match": response.headers.get("etag") ?? "", "cache-control": "max-age=0" };
    expect((await fetch(server.url + path, { headers })).status).toBe(304);
    const posted = await fetch(server.url + path, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    await server.stop();
  });
});
