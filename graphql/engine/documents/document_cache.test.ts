import { buildSchema } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { createDocumentCache } from "./document_cache.ts";

const schema = buildSchema("type Query { a: Int b: Int }");
const requestOf = (query: string) => (variables: Record<string, unknown>, operationName?: string) => ({
  query,
  variables,
  operationName,
});

test("a document is cached once a request of it was planned with the same values of @skip and @include", () => {
  const documents = createDocumentCache(schema, { introspection: true });
  const request = requestOf("query ($v: Boolean = true) { a b @include(if: $v) }");
  documents.validate(documents.parse(request({}).query));
  expect(documents.isCached(request({}))).toBe(false);
  documents.markPlanned(request({}));
  expect(documents.isCached(request({}))).toBe(true);
  // The default is true, so false needs another plan.
  expect(documents.isCached(request({ v: true }))).toBe(true);
  expect(documents.isCached(request({ v: false }))).toBe(false);
});

test("the default of a variable in @include is that of the operation that the request names", () => {
  const documents = createDocumentCache(schema, { introspection: true });
  const request = requestOf(
    "query On($v: Boolean = true) { a @include(if: $v) b } query Off($v: Boolean = false) { a @include(if: $v) b }",
  );
  documents.validate(documents.parse(request({}).query));
  documents.markPlanned(request({}, "Off"));
  expect(documents.isCached(request({ v: false }, "Off"))).toBe(true);
  expect(documents.isCached(request({ v: true }, "Off"))).toBe(false);
  expect(documents.isCached(request({}, "On"))).toBe(false);
});

test("a variable in @include may have the name of a member that every object has", () => {
  const documents = createDocumentCache(schema, { introspection: true });
  const request = requestOf("query ($toString: Boolean = true) { a b @include(if: $toString) }");
  documents.validate(documents.parse(request({}).query));
  documents.markPlanned(request({}));
  expect(documents.isCached(request({ toString: false }))).toBe(false);
});

test("subscriptions, which are known once their query is planned, evict only each other", () => {
  const documents = createDocumentCache(schema, { introspection: true });
  const query = requestOf("{ a b }")({});
  const subscription = (number: number) => requestOf(`subscription { a }#${number}${"x".repeat(8_000)}`)({});
  for (const request of [query, ...Array.from({ length: 300 }, (_, number) => subscription(number))]) {
    documents.parse(request.query);
    documents.markPlanned(request);
  }
  expect([query, subscription(0), subscription(299)].map(documents.isCached)).toEqual([true, false, true]);
});

test("documents that are only parsed do not evict planned ones", () => {
  const documents = createDocumentCache(schema, { introspection: true });
  const request = requestOf("{ a b }");
  documents.parse(request({}).query);
  documents.markPlanned(request({}));
  for (let number = 0; number < 1_000; number++) documents.parse(`{ a }#${number}${"x".repeat(8_000)}`);
  expect(documents.isCached(request({}))).toBe(true);
});
