import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

/** Names that mean the same in every folder: what a folder exports, and what a program starts with. */
const conventional = ["index", "main"];

test("no two TypeScript files have the same name", () => {
  const files = globSync("**/*.{ts,tsx}", {
    cwd: import.meta.dirname,
    exclude: (name) => ["node_modules", ".cache", ".latchkey", "dist"].includes(name),
  });
  expect(files).toContain("start.ts");
  const byName = Map.groupBy(files.sort(), (file) => basename(file).replace(/\.tsx?$/, ""));
  const repeated = [...byName].filter(([name, { length }]) => length > 1 && !conventional.includes(name));
  expect(Object.fromEntries(repeated), "give each a name that says what it is").toEqual({});
});
