import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findSql, functionName } from "../db/sql_files.ts";
import { documentSection } from "../testing/documents/document_blocks.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const documents = globSync(["*.md", "{docs,db,client,examples,bench}/*.md"], { cwd: root });
const files = globSync(["**/*.{ts,js,sql,md,yml,json,graphql,sh,html,css}", ".*.js"], {
  cwd: root,
  exclude: (name) => ["node_modules", ".git", ".cache", ".latchkey"].includes(name),
}).map((file) => `/${file}`);
const packages = Object.keys((JSON.parse(read("package.json")) as { dependencies: object }).dependencies);

const scriptsOf = (file: string) => (JSON.parse(read(file)) as { scripts: Record<string, string> }).scripts;

test.each(documents)("every file and folder that %s names exists", (document) => {
  const text = read(document);
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|js|sql|md|yml|sh|html|css))`/g)].map(([, name = ""]) => name);
  const missing = named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)));
  expect(missing.filter((name) => !packages.includes(name))).toEqual([]);
  const folders = [...text.matchAll(/`([a-z_]+(?:\/[a-z_]+)*\/)`/g)].map(([, name = ""]) => name);
  expect(folders.filter((folder) => !files.some((file) => file.includes(`/${folder}`)))).toEqual([]);
});

test("every file that a comment in SQL names exists", () => {
  const named = globSync("db/**/*.sql", { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/--(?:\s.*)?$/gm)].flatMap(([comment]) =>
      Array.from(comment.matchAll(/[\w./-]+\.(?:ts|sql|md)\b/g), ([name]) => `${file}: ${name}`),
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  const missing = named.filter((line) => !existsSync(join(root, line.split(": ")[1]!)));
  expect(missing).toEqual([]);
});

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

test.each(documents)("every link of %s leads to a file, and to a heading where it names one", (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  for (const [link, path = "", anchor] of links) {
    const target = path === "" ? document : join(dirname(document), path);
    expect([link, existsSync(join(root, target))]).toEqual([link, true]);
    if (anchor === undefined) continue;
    const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
    expect(headings, link).toContain(anchor);
  }
});

test.each(documents)("no row of a table in %s is longer than 160 characters: a list reads better", (document) => {
  const rows = read(document)
    .split("\n")
    .filter((line) => line.trimStart().startsWith("|"));
  expect(rows.filter((row) => row.length > 160)).toEqual([]);
});

test.each(documents)("every npm script that %s names exists", (document) => {
  const scripts = { ...scriptsOf("package.json"), ...scriptsOf("client/package.json") };
  const named = [...read(document).matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("every npm script is in some document", () => {
  const scripts = scriptsOf("package.json");
  const text = documents.map(read).join("\n");
  const isNamed = (name: string) => new RegExp(`npm (run )?(-s |--silent )?${name}(?![\\w:-])`).test(text);
  expect(Object.keys(scripts).filter((name) => !isNamed(name))).toEqual([]);
});

test("every rule of docs/security.md names what proves it", () => {
  const rules = documentSection("docs/security.md", "Rules").split(/^- /m).slice(1);
  expect(rules.length).toBeGreaterThan(70);
  expect(rules.filter((rule) => !/Tests?:\s.*(\.test\.ts|\.sql|pgTAP|their tests)/s.test(rule))).toEqual([]);
});

test("every function that docs/security.md names exists", () => {
  const text = read("docs/security.md");
  const named = [...text.matchAll(/`((?:api|delivery|fraud|private|startup)\/\w+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(20);
  const made = findSql("functions/*/**/*.sql").map(functionName);
  expect(named.filter((name) => !made.includes(name.replace("/", ".")))).toEqual([]);
});
