import { describe, expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";

describe("a null limit means the default", () => {
  const defaults: [string, Record<string, unknown>][] = [
    ["query ($x: Int = null) { user_session(limit: $x) { id } }", {}],
    ["query ($x: Int) { user_session(limit: $x) { id } }", { x: null }],
    ["query ($x: Int = 1000) { user_session(limit: $x) { id } }", { x: null }],
    ["{ user_session(limit: null) { id } }", {}],
    ["{ user_session(limit: null, offset: null) { id } }", {}],
  ];
  test.for(defaults)("%s with %o returns 100 rows", async ([query, variables], { database, admin }) => {
    await database.query(`insert into "user".session (user_id) select null from generate_series(1, 120)`);
    const { data } = await admin(query, variables);
    expect(data?.user_session).toHaveLength(100);
  });

  test.for([
    "query ($x: Int = null) { user_session_aggregate(limit: $x) { nodes { id } } }",
    "query ($x: Int = null) { user_session_aggregate(limit: $x, offset: $x) { nodes { id } aggregate { count } } }",
  ])("%s too", async (query, { admin }) => {
    const { data } = await admin(query);
    expect((data?.user_session_aggregate as { nodes: unknown[] }).nodes).toHaveLength(100);
  });
});

describe("rows × fields are limited", () => {
  const columns = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: id`).join(" ");

  test.for<[string, number]>([
    [`user_session(limit: 1000) { ${columns(10)} }`, 10_000],
    [`user_session(limit: 1000) { ${columns(10)} } __typename`, 10_001],
    [`user_session(limit: 1000) { ${columns(25)} }`, 25_000],
    [`user_session(limit: 1000) { ${columns(25)} } __typename`, 25_001],
    [`user_session { user { sessions { ${columns(1)} } } }`, 10_000],
    [`user_session { user { sessions(limit: 50) { ${columns(5)} } } }`, 25_000],
    [`user_session(limit: null) { user { sessions(limit: null) { ${columns(2)} } } }`, 20_000],
    [`user_session_aggregate(limit: 1000) { nodes { ${columns(10)} } }`, 10_000],
    [`user_session_aggregate(limit: 500) { aggregate { count } nodes { ${columns(49)} } }`, 24_501],
  ])("%s could return %i values", async ([list, cells], { guest, admin }) => {
    for (const [ask, limit] of [
      [guest, 10_000],
      [admin, 25_000],
    ] as const)
      expect((await ask(`{ ${list} }`)).code).toBe(cells > limit ? "limit-exceeded" : undefined);
  });

  test("the message says what to change", async ({ guest }) => {
    const response = await guest(
      "query ($n: Int = 1000) { user_session(limit: $n) { user { sessions(limit: $n) { id } } } }",
    );
    expect(response.message).toBe(
      "The response could hold 1000000 values (rows × fields), and the limit is 10000: give lists a smaller limit, or select fewer fields.",
    );
  });

  test("a user's list of accounts counts as one row, so the lists inside it may be full", async ({ guest, admin }) => {
    const nested = `{ user_account { phone sessions { ${columns(90)} } } }`;
    expect((await guest(nested)).code).toBeUndefined();
    expect((await admin(nested)).code).toBe("limit-exceeded");
    expect((await guest(nested.replace("account", "account(limit: 100)"))).code).toBe("limit-exceeded");
  });
});
