import { describe, expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";
import { type Ask } from "../../../testing/graphql/graphql_client.ts";

const id = "00000000-0000-7000-8000-000000000001";

type Where = Record<string, unknown>;

/** A `where` with so many nested relations: {user: {sessions: {user: …}}}. */
function nestedRelations(count: number): Where {
  const names = ["user", "sessions"];
  let where: Where = {};
  for (let level = count - 1; level >= 0; level--) where = { [String(names[level % 2])]: where };
  return where;
}
const conditions = (count: number): Where => ({ _and: Array.from({ length: count }, () => ({ user: {} })) });
/** A `where` with so many nodes: an object, a list, and in it items of three nodes or one. */
const nodes = (count: number): Where => ({
  _and: [
    ...Array.from({ length: Math.floor((count - 2) / 3) }, () => ({ role: { _eq: "user" } })),
    ...Array.from({ length: (count - 2) % 3 }, () => ({})),
  ],
});
const values = (count: number): Where => ({ id: { _in: Array.from({ length: count }, () => id) } });

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}:${literal(item)}`)
    .join(",")}}`;
};

/** The ways in which a client may send a `where`. */
const forms: Record<string, (ask: Ask, where: Where) => ReturnType<Ask>> = {
  "a literal": (ask, where) => ask(`{ user_session(where: ${literal(where)}) { id } }`),
  "a variable": (ask, where) =>
    ask("query ($w: user_session_bool_exp) { user_session(where: $w) { id } }", { w: where }),
  "a default": (ask, where) =>
    ask(`query ($w: user_session_bool_exp = ${literal(where)}) { user_session(where: $w) { id } }`),
  "a variable inside a literal": (ask, where) =>
    ask("query ($w: [user_session_bool_exp!]) { user_session(where: {_or: $w}) { id } }", { w: [where] }),
};

describe.each(Object.entries(forms))("arguments are limited in %s", (form, send) => {
  /** `_or: […]` adds two nodes. The default of `limit` is one in any case. */
  const extraNodes = form === "a variable inside a literal" ? 2 : 0;

  test.for<[string, Where, Where, RegExp]>([
    ["4 levels of relations", nestedRelations(4), nestedRelations(5), /nest more than 4 relations/],
    ["10 conditions through relations", conditions(10), conditions(11), /more than 10 conditions and orders through/],
    ["500 nodes", nodes(499 - extraNodes), nodes(500 - extraNodes), /more than 500 nodes/],
    ["1000 values of _in", values(1000), values(1001), /more than 1000 values/],
  ])("%s, and no more", async ([_limit, accepted, excessive, message], { guest, admin }) => {
    for (const ask of [guest, admin]) {
      const response = await send(ask, accepted);
      expect([response.message, response.code]).toEqual([undefined, undefined]);
      const refused = await send(ask, excessive);
      expect(refused).toMatchObject({ status: 200, code: "limit-exceeded" });
      expect(refused.message).toMatch(message);
    }
  });
});

test("variables are measured before they are coerced, also those that the document does not declare", async ({
  guest,
}) => {
  const holding = (containers: number) => guest("{ user_session { id } }", { v: Array(containers - 1).fill({}) });
  expect((await holding(500)).message).toMatch(/declares no variable "\$v"/);
  expect(await holding(501)).toMatchObject({
    code: "limit-exceeded",
    message: "The variables hold more than 500 arrays and objects.",
  });
});

describe("arguments count at each use", () => {
  const declaration = "query ($w: user_session_bool_exp)";
  const aliases = "{ a: user_session(where: $w) { id } b: user_session(where: $w, limit: 1) { id } }";
  const fragment =
    "{ ...a ...b } fragment a on query_root { ...c } fragment b on query_root { x: user_session(where: $w, limit: 1) { id } } fragment c on query_root { y: user_session(where: $w) { id } }";
  const nested =
    "{ user_account(limit: 10) { sessions(where: $w) { id } more: sessions(where: $w, limit: 1) { id } } }";
  const counts = "{ user_session_aggregate(where: $w) { aggregate { count } } user_session(where: $w) { id } }";

  test.for([aliases, fragment, nested, counts])("%s", async (selection, { guest }) => {
    const ask = (w: Where) => guest(`${declaration} ${selection}`, { w });
    for (const [accepted, excessive] of [
      [conditions(5), conditions(6)],
      [values(500), values(501)],
      [nodes(242), nodes(254)],
    ] as const) {
      expect((await ask(accepted)).message).toBeUndefined();
      expect((await ask(excessive)).code).toBe("limit-exceeded");
    }
  });

  test("in strings: their characters", async ({ guest }) => {
    const long = "a".repeat(60_000);
    const useTimes = (times: number) =>
      `query ($p: String!) { user_session(where: {_or: [${"{role: {_eq: $p}},".repeat(times)}]}) { id } }`;
    expect((await guest(useTimes(2), { p: long })).message).toBeUndefined();
    expect(await guest(useTimes(3), { p: long })).toMatchObject({ code: "limit-exceeded" });
    const list = `query ($p: [String!]) { user_session(where: {_or: [${"{role: {_in: $p}},".repeat(3)}]}) { id } }`;
    expect(await guest(list, { p: [long] })).toMatchObject({ code: "limit-exceeded" });
  });

  test("in mutations, too", async ({ admin }) => {
    const objects = Array.from({ length: 300 }, () => ({ user_id: null }));
    const insert = `mutation ($o: [user_session_insert_input!]!) { insert_user_session(objects: $o) { affected_rows } }`;
    expect(await admin(insert, { o: objects })).toMatchObject({ code: "limit-exceeded" });
    const remove = `mutation { delete_user_session(where: ${literal(conditions(11))}) { affected_rows } }`;
    expect(await admin(remove)).toMatchObject({ code: "limit-exceeded" });
    const conflict = `mutation { insert_settings_configuration(objects: [], on_conflict: {constraint: configuration_pkey, update_columns: [value], where: {_and: [${"{},".repeat(500)}]}}) { affected_rows } }`;
    expect(await admin(conflict)).toMatchObject({ code: "limit-exceeded" });
  });

  test("in order_by: its nodes", async ({ guest }) => {
    const columns = (count: number) => `{ user_session(order_by: [${"{id: asc},".repeat(count)}]) { id } }`;
    expect((await guest(columns(240))).message).toBeUndefined();
    expect(await guest(columns(250))).toMatchObject({ code: "limit-exceeded" });
  });
});

test("a list may contain the same variable twice", async ({ guest }) => {
  const { data, message } = await guest("query ($id: uuid!) { user_session(where: {id: {_in: [$id, $id]}}) { id } }", {
    id,
  });
  expect([data, message]).toEqual([{ user_session: [] }, undefined]);
});

test("the names of variables that replace literals do not collide with the client's", async ({ guest }) => {
  const { message, code } = await guest(
    "query ($lifted_0: uuid!, $lifted__1: Int) { user_session(where: {_or: [{id: {_eq: $lifted_0}}]}, limit: $lifted__1, order_by: [{id: asc}]) { id } }",
    { lifted_0: id, lifted__1: 3 },
  );
  expect([message, code]).toEqual([undefined, undefined]);
});
