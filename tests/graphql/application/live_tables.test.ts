import { describe, expect } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { adminOf } from "../../../testing/graphql/graphql_client.ts";
import { test, type Data } from "../fixtures/subscribe.ts";

describe("a table for which latchkey.notify_changes was called", () => {
  test("its rows, aggregates, views and functions are live, each under the subscriber's row-level security", async ({
    user,
    otherUser,
    subscribe,
  }) => {
    const own = subscribe(user, `subscription { notebook(order_by: { title: asc }) { title } }`);
    const count = subscribe(user, `subscription { notebook_aggregate { aggregate { count } } }`);
    const other = subscribe(otherUser, `subscription { notebook { title } }`);
    const titles = subscribe(user, `subscription { notebook_titles(order_by: { title: asc }) { title } }`);
    const found = subscribe(user, `subscription { find_notebooks(args: { term: "first" }) { title } }`);
    await eventually("the first results", () => [own, count, other, titles, found].every(({ length }) => length === 1));
    await user.ask(`mutation { insert_notebook_one(object: { title: "first" }) { id } }`);
    await eventually(
      "the insert",
      () => own.length === 2 && count.length === 2 && titles.length === 2 && found.length === 2,
    );
    expect(own).toEqual([{ notebook: [] }, { notebook: [{ title: "first" }] }]);
    expect(count.at(-1)).toEqual({ notebook_aggregate: { aggregate: { count: 1 } } });
    expect(titles.at(-1)).toEqual({ notebook_titles: [{ title: "first" }] });
    expect(found.at(-1)).toEqual({ find_notebooks: [{ title: "first" }] });
    expect(other).toEqual([{ notebook: [] }]);
  });

  test("a live query of another table is read again when its related rows change", async ({ user, subscribe }) => {
    const results = subscribe(
      user,
      `subscription { user_account { notebooks(limit: 5, where: { title: { _eq: "related" } }) { title } } }`,
    );
    await eventually("the first result", () => results.length === 1);
    await user.ask(`mutation { insert_notebook_one(object: { title: "related" }) { id } }`);
    await eventually("the insert", () => results.length === 2);
    expect(results.at(-1)).toEqual({ user_account: [{ notebooks: [{ title: "related" }] }] });
  });

  test("settings are live for the admin", async ({ database, admin, subscribe }) => {
    const headers = adminOf(database);
    const where = `where: { key: { _eq: "OTP_LENGTH" } }`;
    const results = subscribe({ headers }, `subscription { settings_configuration(${where}) { value } }`);
    await eventually("the first result", () => results.length === 1);
    await admin(`mutation { update_settings_configuration(${where}, _set: { value: 7 }) { affected_rows } }`);
    await eventually("the change", () => results.length === 2);
    expect(results.at(-1)).toEqual({ settings_configuration: [{ value: 7 }] });
  });

  test("a table without it has no subscription", async ({ user, subscribe }) => {
    const results = subscribe(user, `subscription { shop_product { sku } }`);
    await eventually("the refusal", () => results.length === 1);
    expect(results).toEqual(["validation-failed"]);
  });
});

describe("X_stream", () => {
  const stream = (args: string) => `subscription { notebook_stream(${args}) { title } }`;
  const titlesOf = (results: (Data | string)[]) =>
    results.map((result) =>
      typeof result === "string" ? result : (result.notebook_stream as { title: string }[]).map(({ title }) => title),
    );

  test("it sends batches beyond the cursor, then new rows alone", async ({ user, subscribe }) => {
    for (const title of ["s1", "s2", "s3"])
      await user.ask(`mutation ($t: String!) { insert_notebook_one(object: { title: $t }) { id } }`, { t: title });
    const results = subscribe(
      user,
      stream(`batch_size: 2, cursor: { initial_value: { title: "s" } }, where: { title: { _like: "s_" } }`),
    );
    await eventually("both batches", () => results.length === 2);
    await user.ask(`mutation { insert_notebook_one(object: { title: "s4" }) { id } }`);
    await eventually("the new row", () => results.length === 3);
    expect(titlesOf(results)).toEqual([["s1", "s2"], ["s3"], ["s4"]]);
  });

  test("it takes variables, another order, and an alias", async ({ user, subscribe }) => {
    const query = `subscription ($c: [notebook_stream_cursor_input]!, $n: Int!, $with: Boolean!) {
      rows: notebook_stream(batch_size: $n, cursor: $c) { title @include(if: $with) notes(limit: 1) { body } } }`;
    const variables = { c: [{ initial_value: { title: "s3" }, ordering: "DESC" }], n: 5, with: true };
    const results = subscribe(user, query, variables);
    await eventually("a batch", () => results.length === 1);
    expect(results[0]).toMatchObject({ rows: [{ title: "s2", notes: [] }, { title: "s1" }, {}, {}] });
  });

  test.for([
    ['batch_size: 0, cursor: { initial_value: { title: "" } }', "validation-failed"],
    ['batch_size: 1001, cursor: { initial_value: { title: "" } }', "limit-exceeded"],
    ["batch_size: 1, cursor: []", "validation-failed"],
    ["batch_size: 1, cursor: { initial_value: {} }", "validation-failed"],
    ["batch_size: 1, cursor: { initial_value: { title: null } }", "validation-failed"],
    ['batch_size: 1, cursor: { initial_value: { title: "", user_id: null } }', "validation-failed"],
  ])("%s is refused: %s", async ([args, code], { user, subscribe }) => {
    const results = subscribe(user, stream(args!));
    await eventually("the refusal", () => results.length === 1);
    expect(results).toEqual([code]);
  });
});
