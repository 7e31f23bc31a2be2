import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const explain = join(root, "db/functions/private/explain");

/** A text in SQL's quotes. */
const texts = (sql: string) =>
  [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = ""]) => text.replaceAll("''", "'"));
const bodyOf = (name: string) => readFileSync(join(explain, name), "utf8").split("comment on function")[0] ?? "";

/** What the story's functions say, a line each: a sentence, with %s for what differs. Details are no sentences. */
const lines = [
  ...readdirSync(explain)
    .filter((name) => name.startsWith("explain_"))
    .flatMap((name) => texts(bodyOf(name)))
    // Whose reasons are those below.
    .filter((text) => text !== "Nothing was sent: %s.")
    .filter((text) => /^([A-Z][a-z]* |%s )/.test(text)),
  ...texts(bodyOf("drop_reason.sql"))
    .filter((text) => /^[a-z]+ [a-z]/.test(text))
    .map((reason) => `Nothing was sent: ${reason}.`),
];

/** The beginnings of lines that the table explains. */
const explained = readFileSync(join(root, "docs/repair.md"), "utf8")
  .split("\n")
  .flatMap((line) => /^\| ([^|]+?) +\|/.exec(line)?.[1]?.split("; ") ?? []);

test("docs/repair.md explains each line of a story", () => {
  expect(lines.length).toBeGreaterThan(30);
  const isExplained = (line: string) =>
    explained.some((beginning) => {
      const pattern = beginning.split("…").map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return beginning.length > 5 && new RegExp(`^${pattern.join(".*")}`).test(line);
    });
  expect(lines.filter((line) => !isExplained(line))).toEqual([]);
});
