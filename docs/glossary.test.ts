import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { boldItems } from "../testing/documents/markdown.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const document = read("docs/glossary.md");
const terms = boldItems(document);

test("the glossary has each term once, in alphabetical order", () => {
  const names = terms.map(([term]) => term);
  expect(names).toEqual([...new Set(names)].toSorted(new Intl.Collator("en").compare));
});

test("every name in the glossary is one that the programs use", () => {
  const sources = globSync("{config,db,graphql,http,runtime,server,worker}/**/*.{ts,sql}", {
    cwd: root,
    exclude: (name) => name.endsWith(".test.ts"),
  })
    .map(read)
    .concat(read("package.json"))
    .join("\n")
    .toLowerCase();
  const names = terms
    .flatMap(([, meaning]) => [...meaning.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name))
    .filter((name) => !name.startsWith("npm run"));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !sources.includes(name.toLowerCase()))).toEqual([]);
});
