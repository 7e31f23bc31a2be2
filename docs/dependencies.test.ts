import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documentSection } from "../testing/document_blocks.ts";
import { tableRows } from "../testing/markdown.ts";

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")) as Record<
  string,
  Record<string, string>
>;

test.each([
  ["In production", "dependencies"],
  ["For development", "devDependencies"],
  ["Optional", "optionalDependencies"],
])("docs/dependencies.md explains, under %s, each of package.json's %s and no other", (heading, kind) => {
  const [, , ...rows] = tableRows(documentSection("docs/dependencies.md", heading));
  expect(rows.map(([name]) => name)).toEqual(Object.keys(manifest[kind] ?? {}).sort());
  for (const [name, why = ""] of rows) expect([name, why.length > 5]).toEqual([name, true]);
});
