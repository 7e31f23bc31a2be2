import { isPhrase, type Rule } from "./expressions.ts";
import { findOutside, type Token } from "./sql_tokens.ts";

const beforeStatement = new Set(["begin", "then", "else", "loop", ";"]);

const startsStatement = (tokens: Token[], index: number): boolean => beforeStatement.has(tokens[index - 1]?.text ?? "");

const endOfStatement = (tokens: Token[], index: number): number =>
  findOutside(tokens, index, ({ text }) => text === ";");

/** `if a then` to `if not (a) then`; also `elsif` and `when`. */
const branch: Rule = ({ tokens, index, text }) => {
  const isBranch = isPhrase(tokens, index, "if") || isPhrase(tokens, index, "elsif");
  if (!(isBranch && startsStatement(tokens, index)) && !isPhrase(tokens, index, "when")) return [];
  const then = endOfCondition(tokens, index + 1);
  const [first, last] = [tokens[index + 1], tokens[then - 1]];
  if (!first || !last) return [];
  const { start } = first;
  const { end } = last;
  return [{ kind: "branch", start, end, replacement: `not (${text.slice(start, end)})` }];
};

/** The index of the `then` that ends a condition: a case expression in it has others. */
function endOfCondition(tokens: Token[], from: number): number {
  let cases = 0;
  return findOutside(tokens, from, ({ text }) => {
    if (text === "case") cases += 1;
    if (text === "end") cases -= 1;
    return text === "then" && cases === 0;
  });
}

/** Removes `perform …;`, `exit when …;`, and a `return …;` that more statements follow. */
const statement: Rule = ({ tokens, index, token }) => {
  if (!["perform", "exit", "continue", "return"].includes(token.text)) return [];
  if (!startsStatement(tokens, index)) return [];
  const semicolon = endOfStatement(tokens, index);
  const last = tokens[semicolon];
  const isLastReturn = token.text === "return" && isPhrase(tokens, semicolon + 1, "end");
  if (!last || (isLastReturn && semicolon + 2 >= tokens.length)) return [];
  return [{ kind: token.text, start: token.start, end: last.end, replacement: "null;" }];
};

/** Removes `for update [of x] [skip locked]`, and `skip locked` alone. */
const rowLock: Rule = ({ tokens, index, token }) => {
  if (!isPhrase(tokens, index, "for")) return [];
  let next = index + 1;
  const accept = (...words: string[]): boolean => {
    const found = isPhrase(tokens, next, ...words);
    if (found) next += words.length;
    return found;
  };
  if (!accept("no", "key")) accept("key");
  if (!accept("update") && !accept("share")) return [];
  if (accept("of")) next += 1;
  const locked = next;
  const skips = accept("skip", "locked") || accept("nowait");
  const end = tokens[next - 1]?.end ?? token.end;
  const skipEdit = { kind: "lock", start: tokens[locked - 1]?.end ?? token.end, end, replacement: "" };
  return [{ kind: "lock", start: token.start, end, replacement: "" }, ...(skips ? [skipEdit] : [])];
};

/** Replaces an advisory lock by true, which is what pg_try_advisory_xact_lock returns when nobody holds the lock. */
const advisoryLock: Rule = ({ tokens, index, token }) => {
  if (!/^pg_(try_)?advisory_xact_lock$/.test(token.text) || !isPhrase(tokens, index + 1, "(")) return [];
  const close = tokens[findOutside(tokens, index + 2, ({ text }) => text === ")")];
  return close ? [{ kind: "lock", start: token.start, end: close.end, replacement: "true" }] : [];
};

export const statementRules: Rule[] = [branch, statement, rowLock, advisoryLock];
