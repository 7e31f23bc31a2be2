import { readSql } from "../../db/sql_files.ts";
import type { Candidate } from "./candidates.ts";

/** A line: path: `before` → `after`: reason. No test could distinguish such a mutant from the original. */
const line = /^(?<path>\S+): (?<change>`[^`]*` → `[^`]*`): (?<reason>\S.*)$/;

/** The path and change of each line of db/tests/equivalent_mutants.txt, as keyOf gives them. */
export function readEquivalents(text = readSql("tests/equivalent_mutants.txt")): Set<string> {
  const lines = text.split("\n").filter((entry) => entry !== "" && !entry.startsWith("#"));
  return new Set(
    lines.map((entry) => {
      const { path, change } = line.exec(entry)?.groups ?? {};
      if (path === undefined || change === undefined)
        throw new Error(`equivalent_mutants.txt needs path: \`before\` → \`after\`: reason, not: ${entry}`);
      return `${path}: ${change}`;
    }),
  );
}

export const keyOf = ({ path, change }: Candidate): string => `${path}: ${change}`;
