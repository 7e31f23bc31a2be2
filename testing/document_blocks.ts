import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The fenced blocks of a language in a document, below one of its headings, in their order. */
export function documentBlocks(document: string, heading: string, language: string): string[] {
  const text = readFileSync(join(import.meta.dirname, "..", document), "utf8");
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (begin < 0) throw new Error(`${document} has no heading "${heading}"`);
  const level = lines[begin]!.indexOf(" ");
  const after = lines.slice(begin + 1);
  const end = after.findIndex((line) => /^#+ /.test(line) && line.indexOf(" ") <= level);
  const section = after.slice(0, end < 0 ? undefined : end).join("\n");
  const pattern = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm");
  return Array.from(section.matchAll(pattern), ([, block = ""]) => block);
}
