import { getOperationAST, parse } from "postgraphile/graphql";
import { expect, test } from "vitest";
import { subscriptionQuery } from "./subscription_query.ts";

const queryOf = (text: string, operationName?: string) => {
  const document = parse(text);
  return subscriptionQuery(document, getOperationAST(document, operationName)!);
};

test("it has the subscription's fields, variables and fragments", () => {
  expect(
    queryOf("subscription S($id: uuid!) { user_session(where: $id) { ...f } } fragment f on user_session { id }"),
  ).toBe("query S($id:uuid!){user_session(where:$id){...f}}fragment f on user_session{id}");
});

test("it has none of the document's other operations, and not their fragments", () => {
  const text =
    "subscription S { a } mutation M { b { ...f } } query Q { c } subscription T { d } fragment f on t { e }";
  expect(queryOf(text, "S")).toBe("query S{a}");
  expect(queryOf(text, "T")).toBe("query T{d}");
});

test("fragments of the subscription's root are fragments of the query's", () => {
  expect(queryOf("subscription { ...f } fragment f on subscription_root { ... on subscription_root { a } }")).toBe(
    "{...f}fragment f on query_root{...on query_root{a}}",
  );
});

test("indentation does not make it longer than the subscription's text", () => {
  const text = `subscription{${"a{".repeat(100)}b${"}".repeat(100)}}`;
  expect(queryOf(text).length).toBeLessThanOrEqual(text.length);
});
