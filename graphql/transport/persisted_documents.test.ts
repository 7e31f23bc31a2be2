import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { createPersistedDocuments } from "./persisted_documents.ts";

const of = (query: string) => ({ version: 1, sha256Hash: hash("sha256", query) });
const notFound = expect.objectContaining({
  code: "PERSISTED_QUERY_NOT_FOUND",
  message: "PersistedQueryNotFound",
}) as Error;

test("a document is found by its hash once it was sent with it, and by no other class of callers", () => {
  const { resolve } = createPersistedDocuments();
  expect(() => resolve("users", of("{ a }"), undefined)).toThrow(notFound);
  expect(resolve("users", of("{ a }"), "{ a }")).toBe("{ a }");
  expect(resolve("users", of("{ a }"), undefined)).toBe("{ a }");
  expect(() => resolve("guests", of("{ a }"), undefined)).toThrow(notFound);
});

test("nobody can store a document under the hash of another one", () => {
  const { resolve } = createPersistedDocuments();
  resolve("users", of("{ a }"), "{ a }");
  expect(() => resolve("users", of("{ a }"), "{ b }")).toThrow(/does not match/);
  expect(resolve("users", of("{ a }"), undefined)).toBe("{ a }");
});

test.for([
  {},
  { version: 2, sha256Hash: "0".repeat(64) },
  { version: 1, sha256Hash: "0" },
  { version: 1, sha256Hash: 0 },
])("%o is refused", (persistedQuery) => {
  expect(() => createPersistedDocuments().resolve("users", persistedQuery, "{ a }")).toThrow(
    /persistedQuery must have/,
  );
});

test("what is stored is bounded: the document that was used last stays, and a long one is not stored", () => {
  const { resolve } = createPersistedDocuments();
  const first = "{ first }";
  resolve("guests", of(first), first);
  for (let index = 0; index < 500; index++) {
    const query = `{ a${index} }`.padEnd(8_000);
    resolve("guests", of(query), query);
    if (index < 100) resolve("guests", of(first), undefined);
  }
  expect(() => resolve("guests", of(first), undefined)).toThrow(notFound);
  const long = "{ a }".padEnd(9_000);
  expect(resolve("guests", of(long), long)).toBe(long);
  expect(() => resolve("guests", of(long), undefined)).toThrow(notFound);
});
