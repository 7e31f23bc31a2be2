import { getOperationAST } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { checkDocumentSize } from "./document_size.ts";
import { parseDocument } from "../documents/parse_document.ts";

function check(query: string): void {
  const document = parseDocument(query);
  checkDocumentSize(document, getOperationAST(document, "Q") ?? expect.fail("no operation"));
}

const repeat = (text: (index: number) => string, times: number) =>
  Array.from({ length: times }, (_, index) => text(index)).join(" ");
const pad = (head: string, length: number) => head.padEnd(length, "x");

// Validation visits all definitions, executed or not, and scans the lines before each error.
test.each<[string, (count: number) => string, number]>([
  ["lines", (count) => `${"\n".repeat(count - 1)}query Q { a }`, 2_000],
  ["characters of an alias", (count) => `query Q { ${pad("a", count)}: b }`, 128],
  ["characters of a name", (count) => `query Q { ${pad("a", count)} }`, 128],
  [
    "operations and fragments",
    (count) => `query Q { a } ${repeat((index) => `fragment F${index} on T { a }`, count - 1)}`,
    50,
  ],
  ["variables", (count) => `query Q(${repeat((index) => `$v${index}: Int`, count)}) { a }`, 100],
  [
    "fields with a selection set, of an operation that is not executed",
    (count) => `query Q { a } query Other { ${repeat((index) => `a${index}: b { c }`, count)} }`,
    60,
  ],
])("%s are limited", (_what, query, max) => {
  check(query(max));
  expect(() => check(query(max + 1))).toThrow(expect.objectContaining({ code: "limit-exceeded" }));
});
