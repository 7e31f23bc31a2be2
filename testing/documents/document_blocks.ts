import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the text of a document below one of its headings, until the next heading of that level. */
export function documentSection(document: string, heading: string): string {
  const lines = readFileSync(join(import.meta.dirname, "..", "..", document), "utf8").split("\n");
  const begin = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (begin < 0) throw new Error(`${document} has no heading "${heading}"`);
  const level = lines[begin]!.indexOf(" ");
  const after = lines.slice(begin + 1);
  const end = after.findIndex((line) => /^#+ /.test(line) && line.indexOf(" ") <= level);
  return after.slice(0, end < 0 ? undefined : end).join("\n");
}

/** The fenced blocks of a language in a document, below one of its headings, in their order. */
export function documentBlocks(document: string, heading: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm");
  return Array.from(documentSection(document, heading).matchAll(pattern), ([, block = ""]) => block);
}
