import { describe, expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";

describe("limit and offset", () => {
  test.for<[string, string, Record<string, unknown>]>([
    ["limit: 1001", "limit-exceeded", {}],
    ["limit: $n", "limit-exceeded", { n: 1001 }],
    ["limit: -1", "validation-failed", {}],
    ["limit: $n", "validation-failed", { n: -1 }],
    ["limit: 1.5", "validation-failed", {}],
    ["offset: -1", "validation-failed", {}],
    ["offset: $n", "validation-failed", { n: -5 }],
    ["limit: $n", "validation-failed", { n: "1" }],
  ])("%s is %s, with %o", async ([argument, code, variables], { guest }) => {
    const declared = argument.includes("$n") ? "query ($n: Int)" : "query";
    for (const field of [`user_session(${argument}) { id }`, `user_account { sessions(${argument}) { id } }`]) {
      expect((await guest(`${declared} { ${field} }`, variables)).code).toBe(code);
    }
  });

  test("the default of a variable is limited, too", async ({ guest }) => {
    expect((await guest("query ($n: Int = 1001) { user_session(limit: $n) { id } }")).code).toBe("limit-exceeded");
    expect((await guest("query ($n: Int = 7) { user_session(limit: $n) { id } }")).code).toBeUndefined();
    expect((await guest("query ($n: Int) { user_session(limit: $n) { id } }")).code).toBeUndefined();
  });

  test("a list has 100 rows by default, and at most 1000", async ({ database, admin }) => {
    await database.query(`insert into "user".session (user_id) select null from generate_series(1, 1100)`);
    const lengthOf = async (args: string) =>
      ((await admin(`{ user_session${args} { id } }`)).data?.user_session as unknown[]).length;
    expect(await lengthOf("")).toBe(100);
    expect(await lengthOf("(limit: 1000)")).toBe(1000);
    const { data } = await admin("{ user_session_aggregate { aggregate { count } nodes { id } } }");
    expect((data?.user_session_aggregate as { nodes: unknown[] }).nodes).toHaveLength(100);
    expect(data).toMatchObject({ user_session_aggregate: { aggregate: { count: 1101 } } });
  });
});
