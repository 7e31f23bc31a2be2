import { describe, expect } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { test as baseTest } from "../../../testing/graphql/application_schema.ts";

const test = baseTest.extend("rows", { scope: "file", auto: true }, async ({ database, user }) => {
  await database.query(
    `with notebook as (insert into public.notebook (user_id, title) values ($1, 'long') returning id)
     insert into public.note (notebook_id, body, data) select id, repeat('a', 20000), to_jsonb(array[repeat('a', 20000)]) from notebook`,
    [user.userId],
  );
});

describe("a pattern that PostgreSQL could not finish", () => {
  const pattern = "^(a+)(a+)(a+)(a+)\\1\\2\\3\\4$";

  test.for(["_regex", "_iregex", "_nregex", "_niregex"])(
    "%s ends at the time-out of a statement",
    async (operator, { user }) => {
      const { code } = await user.ask(`query ($p: String!) { note(where: { body: { ${operator}: $p } }) { id } }`, {
        p: pattern,
      });
      expect(code).toBe("timeout");
    },
  );

  test.for(["$[*] ? (@ like_regex $p)", "exists($[*] ? (@ like_regex $p))"])(
    "%s, a path of jsonb, too",
    async (path, { user }) => {
      const quoted = path.replace("$p", JSON.stringify(pattern));
      const operator = path.startsWith("exists") ? "_jsonb_path_match" : "_jsonb_path_exists";
      const { code } = await user.ask(`query ($p: String!) { note(where: { data: { ${operator}: $p } }) { id } }`, {
        p: quoted,
      });
      expect(code).toBe("timeout");
    },
  );

  test("also in a count, in a predicate of an aggregate, and in a mutation", async ({ user }) => {
    const where = `{ body: { _regex: "${pattern.replaceAll("\\", "\\\\")}" } }`;
    for (const document of [
      `{ note_aggregate(where: ${where}) { aggregate { count } } }`,
      `{ notebook(where: { notes_aggregate: { count: { predicate: { _gt: 0 }, filter: ${where} } } }) { id } }`,
      `mutation { delete_note(where: ${where}) { affected_rows } }`,
    ])
      expect((await user.ask(document)).code, document).toBe("timeout");
  });

  test("the caller pays for all of it: its next request is refused until it has budget again", async ({
    service,
    user,
  }) => {
    const server = await service.startAnotherServer({ GRAPHQL_BUDGET_MS: "100" });
    const ask = async (query: string) => {
      const response = await fetch(`${server.url}/v1/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", ...user.headers },
        body: JSON.stringify({ query, variables: { p: pattern } }),
      });
      await response.text();
      return response.status;
    };
    const document = "query ($p: String!) { note(where: { body: { _regex: $p } }) { id } }";
    await eventually("it is refused", async () => (await ask(document)) === 429);
  });
});

describe("the limits of arguments hold for what is new in the dialect", () => {
  const nested = (levels: number, inner: string): string =>
    Array.from({ length: levels }).reduce<string>((text) => `{ original: ${text} }`, inner);
  const many = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => item(index)).join(" ");

  test.for<[what: string, document: string]>([
    ["levels of order_by", `{ note(order_by: ${nested(5, "{ body: asc }")}) { id } }`],
    [
      "keys of order_by through relations",
      `{ note(order_by: [${many(11, () => "{ original: { body: asc } }")}]) { id } }`,
    ],
    [
      "keys of order_by through aggregates",
      `{ note(order_by: [${many(11, () => "{ copies_aggregate: { count: asc } }")}]) { id } }`,
    ],
    [
      "predicates of aggregates",
      `{ note(where: { _and: [${many(11, () => "{ copies_aggregate: { count: { predicate: { _gt: 0 } } } }")}] }) { id } }`,
    ],
    [
      "objects of nested inserts",
      `mutation { insert_notebook_one(object: { title: "n", notes: { data: [${many(300, () => '{ body: "x" }')}] } }) { id } }`,
    ],
    [
      "updates of one mutation",
      `mutation { update_note_many(updates: [${many(200, () => "{ where: { id: { _eq: 0 } }, _inc: { rating: 1 } }")}]) { affected_rows } }`,
    ],
    [
      "rows that several updates return",
      `mutation { update_note_many(updates: [${many(40, () => "{ where: {}, _inc: { rating: 1 } }")}]) { returning { id body rating } } }`,
    ],
  ])("%s", async ([_what, document], { user }) => {
    expect((await user.ask(document)).code).toBe("limit-exceeded");
  });

  test("as many as the limits allow are accepted", async ({ user }) => {
    expect((await user.ask(`{ note(order_by: ${nested(4, "{ body: asc }")}) { id } }`)).code).toBeUndefined();
    const orders = many(10, () => "{ copies_aggregate: { count: asc } }");
    expect((await user.ask(`{ note(order_by: [${orders}]) { id } }`)).code).toBeUndefined();
  });
});
