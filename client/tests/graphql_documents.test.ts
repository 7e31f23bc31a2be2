import { parse, stripIgnoredCharacters, type DocumentNode } from "graphql";
import { expect, test } from "vitest";
import { createLatchkey, memoryTokenStorage } from "../src/index.ts";
import { printDocument } from "../src/print_document.ts";
import { fakeFetch } from "./fake_service.ts";

test.for([
  "{ a }",
  "query { a b: c d(e: 1) { f } }",
  'query Q($a: Int, $b: [String!]! = ["x"] @c, $d: e = F) @g(h: $a) { i(j: $b, k: {l: $d, m: {n: [1 -2.5e3 true null A]}}) @o { p } }',
  'mutation M { a(b: "quote \\" back\\\\slash \\n 😀 \\u0000") { c } }',
  'subscription S { a(b: """\n  a "block"\n    of text\n""", c: [], d: {}) { e } }',
  "query A { ...B ... on C @d { e } ... @include(if: true) { f } ... { g } } fragment B on D @e { f }",
])("a parsed document is printed with the same meaning: %s", (text) => {
  const document = parse(text, { noLocation: true });
  const reparsed = parse(printDocument(document), { noLocation: true });
  // A block string becomes a string with the same value.
  const plain = (node: DocumentNode) =>
    JSON.parse(JSON.stringify(node, (name, value: unknown) => (name === "block" ? undefined : value))) as unknown;
  expect(plain(reparsed)).toEqual(plain(document));
});

test("a document that is no request is a fault of the program", () => {
  expect(() => printDocument(parse("type A { b: C }"))).toThrow("cannot have the kind ObjectTypeDefinition");
});

/** As code generators declare them: packages @graphql-typed-document-node/core and @graphql-codegen/client-preset. */
interface DocumentTypeDecoration<Result, Variables> {
  __apiType?: (variables: Variables) => Result;
}
interface TypedDocumentNode<Result, Variables> extends DocumentNode, DocumentTypeDecoration<Result, Variables> {}
class TypedDocumentString<Result, Variables> extends String implements DocumentTypeDecoration<Result, Variables> {
  __apiType?: NonNullable<DocumentTypeDecoration<Result, Variables>["__apiType"]>;
}
type Exact<T extends Record<string, unknown>> = { [K in keyof T]: T[K] };

interface Data {
  user_account: { phone: string }[];
}
const text = "query Account($id: uuid!) { user_account(where: { id: { _eq: $id } }) { phone } }";
const node = parse(text) as TypedDocumentNode<Data, Exact<{ id: string }>>;
const string = new TypedDocumentString<Data, Exact<{ id: string }>>(text);
const constant = parse("{ user_account { phone } }") as TypedDocumentNode<Data, Exact<Record<string, never>>>;

test("the types of a document are those of its variables and result, and its text is sent", async () => {
  const sent: { query: string; variables: object }[] = [];
  const latchkey = createLatchkey({
    url: "https://auth.example.com",
    storage: memoryTokenStorage(),
    fetch: async (_, init) => {
      await Promise.resolve();
      sent.push(JSON.parse(init?.body as string) as (typeof sent)[number]);
      return Response.json({ data: { user_account: [{ phone: "+12125550123" }] } });
    },
  });
  for (const document of [node, string]) {
    const { data } = await latchkey.graphql(document, { id: "1" });
    const phone: string | undefined = data?.user_account[0]?.phone;
    expect(phone).toBe("+12125550123");
  }
  await latchkey.graphql(constant);
  await latchkey.graphql<Data>(parse("{ user_account { phone } }"));
  expect(sent.map(({ query }) => stripIgnoredCharacters(query))).toEqual(
    [text, text, "query { user_account { phone } }", "query { user_account { phone } }"].map(stripIgnoredCharacters),
  );
  expect(sent.map(({ variables }) => variables)).toEqual([{ id: "1" }, { id: "1" }, {}, {}]);

  // The compiler checks these.
  const refused = [
    // @ts-expect-error: the variable is missing
    () => latchkey.graphql(node),
    // @ts-expect-error: it is a string
    () => latchkey.graphql(string, { id: 1 }),
    // @ts-expect-error: no such field
    async () => expect((await latchkey.graphql(node, { id: "1" })).data?.user_session),
    // @ts-expect-error: the variable is missing
    () => latchkey.live(node, () => undefined),
    () => latchkey.live(node, ({ data }) => data?.user_account[0]?.phone.length, { id: "1" }),
    () => latchkey.live(constant, ({ data }) => data?.user_account.length),
  ];
  expect(refused).toHaveLength(6);
  latchkey.close();
});

test("a signal ends a request of GraphQL", async () => {
  const { fetch } = fakeFetch(({ signal }) => {
    signal.throwIfAborted();
    return Response.json({ data: {} });
  });
  const latchkey = createLatchkey({ url: "https://auth.example.com", storage: memoryTokenStorage(), fetch });
  const { error } = await latchkey.graphql("{ user_account { phone } }", {}, { signal: AbortSignal.abort() });
  expect(error).toMatchObject({ code: "NETWORK_FAILURE", aborted: true });
});
