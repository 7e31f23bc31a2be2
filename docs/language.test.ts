import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Words that hide who acts, that few readers whose first language is not English know, or that are not American spelling. */
const avoided = /\b(whoever|anew|likewise|as ever|licence|(?:is|are|was|were) told|cannot be asked)\b/i;

/** What was released or is generated, and this list itself. */
const isExempt = (file: string): boolean =>
  file.startsWith("db/migrations/") ||
  ["db/schema.sql", "CHANGELOG.md", "docs/language.test.ts"].includes(file);

const files = globSync("**/*.{ts,sql,md,html,sh}", {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist|\..+)$/.test(name),
}).filter((file) => !isExempt(file));

test("no comment, message or document has a word that its readers stumble over", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (avoided.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
