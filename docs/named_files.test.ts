import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const documents = globSync(["*.md", "docs/*.md", "db/*.md"], { cwd: root });
const files = globSync(["**/*.{ts,js,sql,md,yml,json,graphql,sh}", ".*.js"], {
  cwd: root,
  exclude: (name) => ["node_modules", ".git", ".cache", ".latchkey"].includes(name),
}).map((file) => `/${file}`);

test.each(documents)("every file and folder that %s names exists", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|js|sql|md|yml|sh))`/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  const folders = [...text.matchAll(/`([a-z_]+(?:\/[a-z_]+)*\/)`/g)].map(([, name = ""]) => name);
  expect(folders.filter((folder) => !files.some((file) => file.includes(`/${folder}`)))).toEqual([]);
});
