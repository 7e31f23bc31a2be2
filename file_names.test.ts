import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

/** Names that mean the same in every folder: what a folder exports, and what a program starts with. */
const conventional = ["index", "main"];

/** Expects that each file has a name of its own. */
function expectDistinctNames(files: string[]): void {
  const byName = Map.groupBy(files.sort(), (file) => basename(file).replace(/\.\w+$/, ""));
  const repeated = [...byName].filter(([name, { length }]) => length > 1 && !conventional.includes(name));
  expect(Object.fromEntries(repeated), "give each a name that says what it is").toEqual({});
}

test("no two TypeScript files have the same name", () => {
  const files = globSync("**/*.{ts,tsx}", {
    cwd: import.meta.dirname,
    exclude: (name) => ["node_modules", ".cache", ".latchkey", "dist"].includes(name),
  });
  expect(files).toContain("start.ts");
  expectDistinctNames(files);
});

test("no two SQL files have the same name, but for a function's or a table's and that of its tests", () => {
  const files = globSync("**/*.sql", {
    cwd: join(import.meta.dirname, "db"),
    exclude: ["functions/**", "tests/functions/**", "tests/policies/**"],
  });
  expect(files).toContain("roles.sql");
  expectDistinctNames(files);
});
