import { Linter } from "eslint";
import { expect, test } from "vitest";

// A variable, because TypeScript looks for the types of a fixed path.
const file = "./eslint.config.js";
const { default: config } = (await import(file)) as { default: Linter.Config[] };

/** What the rules of eslint.config.js that need no types say of a file. */
function lint(path: string, code: string): string[] {
  const own = config.filter(
    ({ rules = {} }) => "no-restricted-syntax" in rules || "no-restricted-imports" in rules,
  );
  return new Linter()
    .verify(code, [{ files: ["**/*.ts"] }, ...own], path)
    .map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test.for([
  ["express.json()", 'import express from "express"; express.json();'],
  ["another of Express's parsers", 'import express from "express"; express.urlencoded({});'],
  ["a parser by its name", 'import { raw } from "express"; raw();'],
  ["the package of the parsers", 'import parser from "body-parser"; parser.json();'],
])("a file of the server cannot use %s", ([_what, code = ""]) => {
  expect(lint("server/pages/new.ts", code)).toEqual([expect.stringContaining("http/body_reader.ts")]);
  expect(lint("http/body_reader.ts", code)).toEqual([]);
});

test.for([
  ["normalize", "text.normalize();", "runtime/normalize_text.ts"],
  [
    "a regular expression of quadratic time",
    "/^[a-z]+[a-z0-9]+$/.test(text);",
    "regexp/no-super-linear-backtracking",
  ],
  ["another one", "text.replace(/=+$/, '');", "regexp/no-super-linear-move"],
])("a file of the server cannot use %s", ([_what, code = "", message]) => {
  expect(lint("server/rest/new.ts", code)).toEqual([expect.stringContaining(message!)]);
  expect(lint("worker/new.ts", code)).toHaveLength(1);
});
