import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askGraphql, type Ask } from "../../../testing/graphql_client.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { answerText, createAnswerMeter } from "../../graphql/engine/answer_text.ts";

const ADMIN_SECRET = "an admin secret of 32 characters or more";

let service: Service;
let admin: Ask;
beforeAll(async () => {
  service = await startService({ worker: false, env: { ADMIN_SECRET } });
  admin = askGraphql(service.url, { "x-admin-secret": ADMIN_SECRET });
  // 25 KB each.
  await service.database.query(
    `insert into platform.rate_limit (key, hits, totals)
     select 'large' || i, array_fill(now(), array[1000]), array(select generate_series(0, 1000))
     from generate_series(1, 200) i`,
  );
});
afterAll(() => service.stop());

describe("an answer of more than 4 MB is limit-exceeded", () => {
  test("of a query", async () => {
    const most = `{ platform_rate_limit(limit: 60, where: {key: {_like: "large%"}}) { hits } }`;
    expect((await admin(most)).code).toBeUndefined();
    const answered = await admin(most.replace("60", "200"));
    expect(answered).toMatchObject({ status: 200, code: "limit-exceeded", data: null });
    expect(answered.message).toMatch(/larger than 4 MB: give lists a smaller limit/);
  });

  test("of a mutation, which changes nothing", async () => {
    const answered = await admin(
      `mutation { delete_platform_rate_limit(where: {key: {_like: "large%"}}) { returning { hits } } }`,
    );
    expect(answered).toMatchObject({ code: "limit-exceeded", data: null });
    const rows = await service.database.query("select from platform.rate_limit where key like 'large%'");
    expect(rows).toHaveLength(200);
  });
});

describe("what counts is", () => {
  test("the bytes of the answer", () => {
    expect(answerText({ a: "é" })).toBe('{"a":"é"}');
    const overhead = '{"a":""}'.length;
    expect(answerText({ a: "x".repeat(4_000_000 - overhead) })).toHaveLength(4_000_000);
    for (const tooLong of ["x".repeat(4_000_001 - overhead), "é".repeat(2_000_001)])
      expect(answerText({ a: tooLong })).toMatchObject({ code: "limit-exceeded" });
  });

  test("all that the database sends for one request, before any of it is put together", () => {
    const meter = createAnswerMeter();
    const rows = Array.from({ length: 100 }, () => ["x".repeat(20_000), null]);
    meter(rows);
    meter(rows);
    expect(() => meter([{ a: "x" }])).toThrow(/larger than 4 MB/);
  });
});
