import { describe, expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";
import { bearer } from "../../../testing/service/rest_client.ts";
import { postGraphql } from "../../../testing/graphql/graphql_client.ts";

const id = "00000000-0000-7000-8000-000000000001";

const times = (count: number, createItem: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => createItem(index)).join(" ");

describe("documents beyond the limits are refused", () => {
  test.for<[string, string, RegExp]>([
    ["1,000 aliases", `{ ${times(1000, (index) => `a${index}: user_session { id }`)} }`, /root fields/],
    ["51 root fields", `{ ${times(51, (index) => `a${index}: __typename`)} }`, /root fields/],
    [
      "root fields in fragments",
      `{ ...a ...a ... on query_root { ...a } } fragment a on query_root { ${times(20, (index) => `a${index}: __typename`)} }`,
      /root fields/,
    ],
    ["depth 50", `{ user_session { ${"user { sessions { ".repeat(24)} id ${"} } ".repeat(24)} } }`, /deep/],
    ["depth 13", `{ user_session { ${"user { sessions { ".repeat(5)} user { id } ${"} } ".repeat(5)} } }`, /deep/],
    [
      "depth in fragments",
      `{ user_session { ...a } } fragment a on user_session { ${"user { sessions { ".repeat(3)} ...b ${"} } ".repeat(3)} } fragment b on user_session { ${"user { sessions { ".repeat(3)} id ${"} } ".repeat(3)} }`,
      /deep/,
    ],
    [
      "fragments that spread the next one twice",
      `{ user_session { ...f0 } } ${times(30, (index) => `fragment f${index} on user_session { a${index}: user { id } ...f${index + 1} ...f${index + 1} }`)} fragment f30 on user_session { id }`,
      /500 fields/,
    ],
    ["501 fields below one", `{ user_session { ${times(501, (index) => `a${index}: id`)} } }`, /500 fields/],
    [
      "61 fields with a selection set",
      `{ ${times(31, (index) => `a${index}: user_session(limit: 1) { user { id } }`)} }`,
      /60 fields with a selection set/,
    ],
    [
      "a field that is repeated with long arguments",
      `{ ${times(45, () => `user_session(where: {id: {_in: [${`"${id}", `.repeat(22)}]}}) { id }`)} }`,
      /repeats a field with long arguments/,
    ],
    // An unknown field shows that the limit applies before validation.
    ["501 nodes of arguments", `{ nothing(where: {_and: [${"{}, ".repeat(499)}]}) { id } }`, /500 nodes/],
    ["1,001 values of _in", `{ nothing(where: {id: {_in: [${"1 ".repeat(1_001)}]}}) { id } }`, /1000 values/],
    [
      "fields of an unused fragment",
      `{ __typename } fragment a on user_session { ${"nothing ".repeat(501)} }`,
      /500 fields/,
    ],
    ["lists in lists", "{ user_account(limit: 1000) { sessions(limit: 1000) { id } } }", /could hold/],
    [
      "introspection that is too deep",
      `{ __schema { types { ${"fields { type { ".repeat(12)} name ${"} } ".repeat(12)} } } }`,
      /Introspection/,
    ],
  ])("%s", async ([_name, query, message], { guest, admin }) => {
    for (const send of [guest, admin]) {
      const response = await send(query);
      expect(response).toMatchObject({ status: 200, code: "limit-exceeded" });
      expect(response.message).toMatch(message);
    }
  });

  test("documents within the limits are executed", async ({ guest }) => {
    const wide = await guest(`{ ${times(50, (index) => `a${index}: user_session(limit: ${index + 1}) { id }`)} }`);
    expect(wide).toMatchObject({ code: undefined });
    expect(Object.keys(wide.data ?? {})).toHaveLength(50);
    const twelve = `{ user_session { ${"user { sessions(limit: 1) { ".repeat(5)} id ${"} } ".repeat(5)} } }`;
    expect((await guest(twelve)).code).toBeUndefined();
    expect((await guest("{ user_account(limit: 100) { sessions { id } } }")).code).toBeUndefined();
  });

  test("fragments that spread each other are a validation error", async ({ guest }) => {
    const response = await guest(
      "{ user_session { ...a } } fragment a on user_session { ...b } fragment b on user_session { ...a }",
    );
    expect(response.code).toBe("validation-failed");
  });

  test("a document with too many tokens is validation-failed", async ({ guest }) => {
    const response = await guest(`{ a(x: [${"1 ".repeat(20_000)}]) }`);
    expect(response).toMatchObject({ code: "validation-failed" });
    expect(response.message).toContain("10000 tokens");
  });

  test("a body over 64 KiB is 413", async ({ guest }) => {
    const response = await guest(`{ __typename } #${"x".repeat(66_000)}`);
    expect(response).toMatchObject({ status: 413, code: "limit-exceeded" });
  });
});

test("a batch is refused", async ({ service, guestTokens }) => {
  const response = await postGraphql(
    service.url,
    JSON.stringify([{ query: "{ __typename }" }]),
    bearer(guestTokens.access_token),
  );
  expect(response).toMatchObject({ status: 400, code: "validation-failed" });
  expect(response.message).toMatch(/^Batching/);
});
