import { describe, expect } from "vitest";
import { test } from "../../../testing/graphql/graphql_fixtures.ts";
import { createRowMeter, serializeData } from "../../../graphql/engine/limits/response_size.ts";

test.beforeAll(async ({ database }) => {
  // Rows of 25 KB.
  await database.query(
    `insert into platform.rate_limit (key, hits, totals)
     select 'large' || i, array_fill(now(), array[1000]), array(select generate_series(0, 1000))
     from generate_series(1, 200) i`,
  );
});

describe("a response of more than 4 MB is limit-exceeded", () => {
  test("of a query", async ({ admin }) => {
    const withinLimit = `{ platform_rate_limit(limit: 60, where: {key: {_like: "large%"}}) { hits } }`;
    expect((await admin(withinLimit)).code).toBeUndefined();
    const response = await admin(withinLimit.replace("60", "200"));
    expect(response).toMatchObject({ status: 200, code: "limit-exceeded", data: null });
    expect(response.message).toMatch(/larger than 4 MB: give lists a smaller limit/);
  });

  test("of a mutation, which changes nothing", async ({ database, admin }) => {
    const response = await admin(
      `mutation { delete_platform_rate_limit(where: {key: {_like: "large%"}}) { returning { hits } } }`,
    );
    expect(response).toMatchObject({ code: "limit-exceeded", data: null });
    const rows = await database.query("select from platform.rate_limit where key like 'large%'");
    expect(rows).toHaveLength(200);
  });
});

describe("the limit counts", () => {
  test("the bytes of the response", () => {
    expect(serializeData({ a: "é" })).toBe('{"a":"é"}');
    const overhead = '{"a":""}'.length;
    expect(serializeData({ a: "x".repeat(4_000_000 - overhead) })).toHaveLength(4_000_000);
    for (const tooLong of ["x".repeat(4_000_001 - overhead), "é".repeat(2_000_001)])
      expect(serializeData({ a: tooLong })).toMatchObject({ code: "limit-exceeded" });
  });

  test("the rows that the database sends for one request, before the response is assembled", () => {
    const addRows = createRowMeter();
    const rows = Array.from({ length: 100 }, () => ["x".repeat(20_000), null]);
    addRows(rows);
    addRows(rows);
    expect(() => addRows([{ a: "x" }])).toThrow(/larger than 4 MB/);
  });
});
