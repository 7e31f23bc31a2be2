import { describe, expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";
import { bearer } from "../../../testing/service/rest_client.ts";
import { postGraphql } from "../../../testing/graphql/graphql_client.ts";

const nested = (depth: number, open: string, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth);

describe.each([65, 4_900])("nesting of %i levels is validation-failed", (depth) => {
  test.for<[string, string]>([
    ["selections", nested(depth, "{a", "", "}")],
    ["inline fragments", `{ ${nested(depth, "...{", "id", "}")} }`],
    ["lists", `{ user_session(where: ${nested(depth, "[", "", "]")}) { id } }`],
    ["objects", `{ user_session(where: ${nested(depth, "{_not:", "{}", "}")}) { id } }`],
    ["types", `query ($x: ${nested(depth, "[", "Int", "]")}) { user_session { id } }`],
    ["defaults", `query ($x: Int = ${nested(depth, "[", "1", "]")}) { user_session { id } }`],
    ["directives", `{ user_session @a(x: ${nested(depth, "[", "1", "]")}) { id } }`],
    ["brackets that never close", `{ user_session(where: ${"[".repeat(depth)}`],
  ])("%s", async ([_what, query], { guest }) => {
    const response = await guest(query);
    expect(response).toMatchObject({ status: 200, code: "validation-failed" });
    expect(response.message).toMatch(/nests more than 64 levels/);
  });

  test.for<[string, string]>([
    ["objects", nested(depth, '{"_not":', "{}", "}")],
    ["lists", nested(depth, "[", "", "]")],
  ])("variables: %s", async ([_what, value], { service, guestTokens }) => {
    const query = "query ($x: user_session_bool_exp) { user_session(where: $x) { id } }";
    const body = `{"query":${JSON.stringify(query)},"variables":{"x":${value}}}`;
    const response = await postGraphql(service.url, body, bearer(guestTokens.access_token));
    expect(response).toMatchObject({ status: 200, code: "validation-failed" });
    expect(response.message).toMatch(/variables nest more than 64 levels/);
  });
});

test("less nesting is accepted", async ({ guest }) => {
  const where = nested(55, "{_not:", "{}", "}");
  expect((await guest(`{ user_session(where: ${where}) { id } }`)).message).toBeUndefined();
  const variables = { x: JSON.parse(nested(55, '{"_not":', "{}", "}")) as unknown };
  const query = "query ($x: user_session_bool_exp) { user_session(where: $x) { id } }";
  expect((await guest(query, variables)).message).toBeUndefined();
});
