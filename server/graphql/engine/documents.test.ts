import { buildSchema } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { makeDocuments } from "./documents.ts";

const schema = buildSchema("type Query { a: Int b: Int }");
const asks = (query: string) => (variables: Record<string, unknown>, operationName?: string) => ({
  ...{ query, variables, operationName },
});

test("a document is known once a request of it was planned, for the same switches", () => {
  const documents = makeDocuments(schema, { introspection: true });
  const ask = asks("query ($v: Boolean = true) { a b @include(if: $v) }");
  documents.validate(documents.parse(ask({}).query));
  expect(documents.isKnown(ask({}))).toBe(false);
  documents.remember(ask({}));
  expect(documents.isKnown(ask({}))).toBe(true);
  // The default is true, so false is another plan.
  expect(documents.isKnown(ask({ v: true }))).toBe(true);
  expect(documents.isKnown(ask({ v: false }))).toBe(false);
});

test("a switch's default is that of the operation that is asked for", () => {
  const documents = makeDocuments(schema, { introspection: true });
  const ask = asks(
    "query On($v: Boolean = true) { a @include(if: $v) b } query Off($v: Boolean = false) { a @include(if: $v) b }",
  );
  documents.validate(documents.parse(ask({}).query));
  documents.remember(ask({}, "Off"));
  expect(documents.isKnown(ask({ v: false }, "Off"))).toBe(true);
  expect(documents.isKnown(ask({ v: true }, "Off"))).toBe(false);
  expect(documents.isKnown(ask({}, "On"))).toBe(false);
});

test("documents that were only parsed, however many, push out none that was planned", () => {
  const documents = makeDocuments(schema, { introspection: true });
  const ask = asks("{ a b }");
  documents.parse(ask({}).query);
  documents.remember(ask({}));
  for (let number = 0; number < 1_000; number++) documents.parse(`{ a }#${number}${"x".repeat(8_000)}`);
  expect(documents.isKnown(ask({}))).toBe(true);
});
