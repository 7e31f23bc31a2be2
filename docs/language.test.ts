import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Words that hide who acts, or that few readers whose first language is not English know. */
const hardWords =
  /\b(whoever|anew|likewise|as ever|patience|told|obeys?|for ever|without a word|in one go|asked alone|stands between|cannot be asked)\b/i;

/** British spelling, where the field's APIs have the American one. */
const britishSpelling =
  /\b(licence|catalogue|behaviour|colour|favour|honour|neighbour|centre|whilst|amongst|learnt|misspelt|(author|serial|normal|recogn|organ|initial|minim|maxim|optim|summar|categor|priorit)is(e|ed|es|ing|ation))s?\b/i;

/** The verb before its subject, or the condition after its consequence. */
const inversions = /\bElse\b|[,;] else\b(?! if\b)|, SQL checks\b|'s to say\b/;

/** Participles in place of nouns, as names of values. */
const participleNames =
  /\b(?:const|let|function)\s+(?:given|asked|told|opened|rested|attacked)\b|\((?:given|asked|told|opened|rested|attacked)(?:: |\) =>|, )/;

/** What was released or is generated, and these lists themselves. */
const exempt = ["db/schema.sql", "CHANGELOG.md", "docs/language.test.ts"];

const files = globSync("**/*.{ts,js,css,sql,md,html,sh,yml,yaml}", {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist|\..+)$/.test(name),
})
  .filter((file) => !exempt.includes(file))
  .concat(".env.example", "Dockerfile");

/** The lines of the files that match the pattern. */
const linesWith = (
  pattern: RegExp,
  among: string[] = files,
  prepare = (text: string): string => text,
): string[] =>
  among.flatMap((file) =>
    prepare(readFileSync(join(root, file), "utf8"))
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );

/** The text's lines, each with the first words of the next, since a phrase may go on there. */
const joinedLines = (text: string): string =>
  text.replace(/ ?\n(?=[ \t]*(?:\*|--|\/\/|#)?[ \t]*((?:\S+ ){2}))/g, (_break, next: string) => ` ${next}\n`);

test("a phrase that goes on in the next line of a comment is found", () => {
  expect(joinedLines("a // waits for\n  // ever while it")).toMatch(hardWords);
});

test("no comment, message or document has a word that its readers stumble over", () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(linesWith(hardWords, files, joinedLines)).toEqual([]);
});

test("the spelling is American", () => {
  expect(linesWith(britishSpelling)).toEqual([]);
});

test("no sentence is inverted", () => {
  expect(linesWith(inversions)).toEqual([]);
});

test("no value is named by a participle", () => {
  expect(
    linesWith(
      participleNames,
      files.filter((file) => /\.(ts|js)$/.test(file)),
    ),
  ).toEqual([]);
});
