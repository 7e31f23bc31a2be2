import { getOperationAST } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { checkDocumentSize } from "./document_size.ts";
import { parseDocument } from "./parse_document.ts";

function check(query: string): void {
  const document = parseDocument(query);
  checkDocumentSize(document, getOperationAST(document, "Q") ?? expect.fail("no operation"));
}

const repeat = (text: (index: number) => string, times: number) =>
  Array.from({ length: times }, (_, index) => text(index)).join(" ");
const padded = (head: string, length: number) => head.padEnd(length, "x");

// What is not executed costs validation as much as what is, and an error as much as its place is far from the start.
test.each<[string, (count: number) => string, number]>([
  ["lines", (count) => `${"\n".repeat(count - 1)}query Q { a }`, 2_000],
  ["characters of an alias", (count) => `query Q { ${padded("a", count)}: b }`, 128],
  ["characters of a name", (count) => `query Q { ${padded("a", count)} }`, 128],
  [
    "operations and fragments",
    (count) => `query Q { a } ${repeat((index) => `fragment F${index} on T { a }`, count - 1)}`,
    50,
  ],
  ["variables", (count) => `query Q(${repeat((index) => `$v${index}: Int`, count)}) { a }`, 100],
  [
    "fields with a selection set, of an operation that is not chosen",
    (count) => `query Q { a } query Other { ${repeat((index) => `a${index}: b { c }`, count)} }`,
    60,
  ],
])("%s are bounded", (_what, query, most) => {
  check(query(most));
  expect(() => check(query(most + 1))).toThrow(expect.objectContaining({ code: "limit-exceeded" }));
});
