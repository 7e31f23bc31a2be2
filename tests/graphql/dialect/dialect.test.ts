import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { filters } from "./cases/filters.ts";
import { lists } from "./cases/lists.ts";
import { writes } from "./cases/writes.ts";
import { test } from "./dialect_fixtures.ts";

const all = [...filters, ...lists, ...writes];

/** The first column of the table in docs/graphql.md. */
const table = readFileSync("docs/graphql.md", "utf8")
  .split("## The dialect compared with Hasura's")[1]
  ?.split("\n\nDifferent:")[0];
const lines = [...(table ?? "").matchAll(/^\| (.*?) +\|/gm)].map(([, line]) => line ?? "").slice(2);

test("the table of docs/graphql.md and these documents have the same lines", () => {
  expect([...new Set(all.map(({ line }) => line))]).toEqual(lines);
});

test.for(all)("$line: $document", async ({ document, variables, as, expected }, { user, admin, guest }) => {
  const ask = as === "admin" ? admin : as === "guest" ? guest : user.ask;
  const { data, code, message } = await ask(document, variables);
  if (typeof expected === "string") expect(code ?? data).toBe(expected);
  else expect(data ?? message).toMatchObject(expected);
});
