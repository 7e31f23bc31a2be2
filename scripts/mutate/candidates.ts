import { findSql, readSql } from "../../db/sql_files.ts";
import { expressionRules } from "./expressions.ts";
import { statementRules } from "./statement_rules.ts";
import { readBody } from "./sql_tokens.ts";

/** A function's file with one change. */
export interface Candidate {
  /** Path below db/. */
  path: string;
  line: number;
  kind: string;
  /** The changed lines, before and after, as db/tests/equivalent_mutants.txt has them. */
  change: string;
  mutated: string;
}

/** All candidates of db/functions but its constants, in an order that only the files determine. */
export const allCandidates = (): Candidate[] =>
  findSql("functions/*/**/*.sql").flatMap((path) => findCandidates(path, readSql(path)));

export function findCandidates(path: string, sql: string): Candidate[] {
  const tokens = readBody(sql);
  const rules = [...expressionRules, ...statementRules];
  return tokens
    .flatMap((token, index) => rules.flatMap((rule) => rule({ tokens, index, token, text: sql })))
    .map(({ kind, start, end, replacement }) => {
      const mutated = sql.slice(0, start) + replacement + sql.slice(end);
      const before = linesAround(sql, start, end);
      const after = linesAround(mutated, start, start + replacement.length);
      const line = sql.slice(0, start).split("\n").length;
      return { path, line, kind, change: `\`${before}\` → \`${after}\``, mutated };
    });
}

/** The whole lines from `start` to `end`, in one line. */
function linesAround(text: string, start: number, end: number): string {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const last = text.indexOf("\n", end);
  return text.slice(first, last).trim().replace(/\s+/g, " ");
}
