import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, tokensOf } from "../../testing/client.ts";
import { askGraphql, postGraphql, type Ask } from "../../testing/graphql.ts";
import { startService, type Service } from "../../testing/service.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";

let service: Service;
let ask: Ask;
let admin: Ask;
let token: string;
let sessionId: string;
beforeAll(async () => {
  service = await startService({ worker: false, env: { ADMIN_SECRET, GRAPHQL_STATEMENT_TIMEOUT_MS: "300" } });
  ({ access_token: token, session_id: sessionId } = tokensOf(
    await service.client.post("/auth/session/guest"),
  ));
  ask = askGraphql(service.url, bearer(token));
  admin = askGraphql(service.url, { "x-admin-secret": ADMIN_SECRET });
});
afterAll(() => service.stop());

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(" ");

describe("bombs are refused before they cost anything", () => {
  test.each([
    ["1,000 aliases", `{ ${times(1000, (index) => `a${index}: user_session { id }`)} }`, /root fields/],
    ["51 root fields", `{ ${times(51, (index) => `a${index}: __typename`)} }`, /root fields/],
    [
      "root fields in fragments",
      `{ ...a ...a ... on query_root { ...a } } fragment a on query_root { ${times(20, (index) => `a${index}: __typename`)} }`,
      /root fields/,
    ],
    ["depth 50", `{ user_session { ${"user { sessions { ".repeat(24)} id ${"} } ".repeat(24)} } }`, /deep/],
    [
      "depth 13",
      `{ user_session { ${"user { sessions { ".repeat(5)} user { id } ${"} } ".repeat(5)} } }`,
      /deep/,
    ],
    [
      "depth in fragments",
      `{ user_session { ...a } } fragment a on user_session { ${"user { sessions { ".repeat(3)} ...b ${"} } ".repeat(3)} } fragment b on user_session { ${"user { sessions { ".repeat(3)} id ${"} } ".repeat(3)} }`,
      /deep/,
    ],
    [
      "fragments that double",
      `{ user_session { ...f0 } } ${times(30, (index) => `fragment f${index} on user_session { a${index}: user { id } ...f${index + 1} ...f${index + 1} }`)} fragment f30 on user_session { id }`,
      /500 fields/,
    ],
    ["501 fields below one", `{ user_session { ${times(501, (index) => `a${index}: id`)} } }`, /500 fields/],
    ["lists in lists", "{ user_account(limit: 1000) { sessions(limit: 1000) { id } } }", /could hold/],
    [
      "introspection without end",
      `{ __schema { types { ${"fields { type { ".repeat(12)} name ${"} } ".repeat(12)} } } }`,
      /Introspection/,
    ],
  ])("%s", async (_name, query, message) => {
    const start = performance.now();
    for (const somebody of [ask, admin]) {
      const answered = await somebody(query);
      expect(answered).toMatchObject({ status: 200, code: "limit-exceeded" });
      expect(answered.message).toMatch(message);
    }
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("what is within them is answered", async () => {
    const wide = await ask(
      `{ ${times(50, (index) => `a${index}: user_session(limit: ${index + 1}) { id }`)} }`,
    );
    expect(wide).toMatchObject({ code: undefined });
    expect(Object.keys(wide.data ?? {})).toHaveLength(50);
    const twelve = `{ user_session { ${"user { sessions(limit: 1) { ".repeat(5)} id ${"} } ".repeat(5)} } }`;
    expect((await ask(twelve)).code).toBeUndefined();
    expect((await ask("{ user_account(limit: 1000) { sessions { id } } }")).code).toBeUndefined();
  });

  test("fragments that spread each other are an error, not an endless loop", async () => {
    const answered = await ask(
      "{ user_session { ...a } } fragment a on user_session { ...b } fragment b on user_session { ...a }",
    );
    expect(answered.code).toBe("validation-failed");
  });

  test("a document of too many tokens is not even read to its end", async () => {
    const answered = await ask(`{ a(x: [${"1 ".repeat(20_000)}]) }`);
    expect(answered).toMatchObject({ code: "validation-failed" });
    expect(answered.message).toContain("10000 tokens");
  });

  test("a body over 64 KiB is 413", async () => {
    const answered = await ask(`{ __typename } #${"x".repeat(66_000)}`);
    expect(answered).toMatchObject({ status: 413, code: "limit-exceeded" });
  });
});

describe("limit and offset", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["limit: 1001", "limit-exceeded", {}],
    ["limit: $n", "limit-exceeded", { n: 1001 }],
    ["limit: -1", "validation-failed", {}],
    ["limit: $n", "validation-failed", { n: -1 }],
    ["limit: null", "validation-failed", {}],
    ["limit: $n", "validation-failed", { n: null }],
    ["limit: 1.5", "validation-failed", {}],
    ["offset: -1", "validation-failed", {}],
    ["offset: $n", "validation-failed", { n: -5 }],
    ["limit: $n", "validation-failed", { n: "1" }],
  ])("%s is %s, with %o", async (argument, code, variables) => {
    const declared = argument.includes("$n") ? "query ($n: Int)" : "query";
    for (const field of [
      `user_session(${argument}) { id }`,
      `user_account { sessions(${argument}) { id } }`,
    ]) {
      expect((await ask(`${declared} { ${field} }`, variables)).code).toBe(code);
    }
  });

  test("a default of a variable counts", async () => {
    expect((await ask("query ($n: Int = 1001) { user_session(limit: $n) { id } }")).code).toBe(
      "limit-exceeded",
    );
    expect((await ask("query ($n: Int = 7) { user_session(limit: $n) { id } }")).code).toBeUndefined();
    expect((await ask("query ($n: Int) { user_session(limit: $n) { id } }")).code).toBeUndefined();
  });

  test("100 rows where none is given, 1000 at most", async () => {
    await service.database.query(
      `insert into "user".session (user_id) select null from generate_series(1, 1100)`,
    );
    const lengthOf = async (args: string) =>
      ((await admin(`{ user_session${args} { id } }`)).data?.user_session as unknown[]).length;
    expect(await lengthOf("")).toBe(100);
    expect(await lengthOf("(limit: 1000)")).toBe(1000);
    const { data } = await admin("{ user_session_aggregate { aggregate { count } nodes { id } } }");
    expect((data?.user_session_aggregate as { nodes: unknown[] }).nodes).toHaveLength(100);
    expect(data).toMatchObject({ user_session_aggregate: { aggregate: { count: 1101 } } });
  });
});

describe("what goes wrong is told in a code and no word of the database", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "no variable", {}],
    ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "text", { id: "abc" }],
    ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "a number", { id: 7 }],
    ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "an object", { id: {} }],
    [
      "query ($t: timestamptz) { user_session(where: { created_at: { _gt: $t } }) { id } }",
      "no time",
      { t: "soon" },
    ],
    [
      "query ($t: timestamptz) { user_session(where: { created_at: { _gt: $t } }) { id } }",
      "no such time",
      { t: "2026-13-45" },
    ],
    [
      "query ($n: Int) { platform_otp_transaction(where: { attempts: { _gt: $n } }) { id } }",
      "a fraction",
      { n: 1.5 },
    ],
    [
      "query ($n: Int) { platform_otp_transaction(where: { attempts: { _gt: $n } }) { id } }",
      "too large",
      { n: 2 ** 40 },
    ],
    [
      "query ($s: String) { user_account(where: { phone: { _eq: $s } }) { id } }",
      "a zero byte",
      { s: "a\u0000b" },
    ],
    ['{ user_session(where: { id: { _like: "a" } }) { id } }', "an operator of another type", {}],
    ["{ nothing }", "an unknown field", {}],
    ["{ user_session", "a syntax error", {}],
    ["", "an empty document", {}],
    ["query a { __typename } query b { __typename }", "two operations and no name", {}],
    ["subscription { x }", "a subscription", {}],
  ])("%s with %s", async (query, _name, variables) => {
    const answered = await ask(query, variables);
    expect(answered).toMatchObject({ status: 200, code: "validation-failed" });
    expect(answered.message).not.toMatch(/relation|syntax for type|invalid byte|select |pg_|latchkey_/i);
  });

  test("a statement that takes too long is a timeout, and gives its connection back", async () => {
    await service.database.query(
      `alter policy "a guest sees its own session" on "user".session using (pg_sleep(5) is not null)`,
    );
    const start = performance.now();
    const answered = await ask("{ user_session { id } }");
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(answered).toMatchObject({ code: "timeout", message: "The request took too long.", data: null });
    await service.database.query(
      `alter policy "a guest sees its own session" on "user".session using (true)`,
    );
    expect((await ask("{ user_session(limit: 1) { id } }")).code).toBeUndefined();
  });

  test("statements that are each quick enough do not add up to minutes", async () => {
    await service.database.query(
      `alter policy "a guest sees its own session" on "user".session using (pg_sleep(0.15) is not null)`,
    );
    await service.database.query('delete from "user".session where id <> $1', [sessionId]);
    const start = performance.now();
    const answered = await ask(
      `{ ${times(50, (index) => `a${index}: user_session(limit: ${index}) { id }`)} }`,
    );
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(answered).toMatchObject({ code: "timeout", data: null });
    await service.database.query(
      `alter policy "a guest sees its own session" on "user".session using (true)`,
    );
  });

  test("a fault of ours is unexpected, and nothing more", async () => {
    await service.database.query('alter table "user".account rename column email to electronic_mail');
    const answered = await ask("{ user_account { email } }");
    await service.database.query('alter table "user".account rename column electronic_mail to email');
    expect(answered).toMatchObject({ code: "unexpected", message: "Something went wrong on our side." });
  });

  test("a right that was taken away is a permission error", async () => {
    await service.database.query('revoke select (email) on "user".account from latchkey_guest');
    const answered = await ask("{ user_account { email } }");
    await service.database.query('grant select (email) on "user".account to latchkey_guest');
    expect(answered).toMatchObject({ code: "permission-error", message: "This role must not do that." });
  });
});

describe("introspection", () => {
  const introspection = "{ __schema { queryType { name } types { name fields { name } } } }";

  test("is the admin's", async () => {
    expect((await admin(introspection)).code).toBeUndefined();
    expect((await ask(introspection)).code).toBe("validation-failed");
    expect((await ask('{ __type(name: "user_session") { name } }')).code).toBe("validation-failed");
    expect((await ask("{ __typename }")).code).toBeUndefined();
  });

  test("is everybody's with GRAPHQL_INTROSPECTION=on, of what each may see", async () => {
    const open = await service.startAnotherServer({ GRAPHQL_INTROSPECTION: "on" });
    const answered = await askGraphql(open.url, bearer(token))(introspection);
    await open.stop();
    expect(answered.code).toBeUndefined();
    const text = JSON.stringify(answered.body);
    expect(text).toContain("user_session");
    expect(text).not.toMatch(/settings_|rate_limit|hash|token_id/);
  });
});

test("a batch is refused", async () => {
  const answered = await postGraphql(
    service.url,
    JSON.stringify([{ query: "{ __typename }" }]),
    bearer(token),
  );
  expect(answered).toMatchObject({ status: 400, code: "validation-failed" });
  expect(answered.message).toMatch(/^Batches/);
});
