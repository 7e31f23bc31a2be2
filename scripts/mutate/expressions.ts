import { findOutside, type Token } from "./sql_tokens.ts";

/** One change of a file's text. */
export interface Edit {
  kind: string;
  start: number;
  end: number;
  replacement: string;
}

export interface Place {
  tokens: Token[];
  index: number;
  /** tokens[index] */
  token: Token;
  /** The whole file. */
  text: string;
}

/** Finds the edits that begin at a token. */
export type Rule = (place: Place) => Edit[];

const opposites: Record<string, string> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>", "<>": "=", "+": "-", "-": "+" },
  ...{ and: "or", or: "and", least: "greatest", greatest: "least" },
};

const opposite: Rule = ({ token: { kind, text, start, end } }) => {
  const replacement = kind === "operator" || kind === "word" ? opposites[text] : undefined;
  return replacement === undefined ? [] : [{ kind: "operator", start, end, replacement }];
};

/** `is null` to `is not null` and back. */
const nullTest: Rule = ({ tokens, index, token }) => {
  const isNull = isPhrase(tokens, index, "is", "null");
  if (!isNull && !isPhrase(tokens, index, "is", "not", "null")) return [];
  const end = tokens[index + (isNull ? 1 : 2)]?.end ?? token.end;
  return [{ kind: "null test", start: token.start, end, replacement: isNull ? "is not null" : "is null" }];
};

/** `not x` to `x`, also in `is not distinct from` and `not in`. */
const negation: Rule = ({ tokens, index, token }) => {
  if (!isPhrase(tokens, index, "not") || isPhrase(tokens, index + 1, "null")) return [];
  return [{ kind: "not", start: token.start, end: tokens[index + 1]?.start ?? token.end, replacement: "" }];
};

/** `coalesce(a, b)` to `(b)`. */
const coalesce: Rule = ({ tokens, index, token, text }) => {
  if (!isPhrase(tokens, index, "coalesce", "(")) return [];
  const comma = tokens[findOutside(tokens, index + 2, ({ text: mark }) => mark === ",")];
  const close = tokens[findOutside(tokens, index + 2, ({ text: mark }) => mark === ")")];
  if (!comma || !close) return [];
  const rest = text.slice(comma.end, close.start).trim();
  return [{ kind: "coalesce", start: token.start, end: close.end, replacement: `(${rest})` }];
};

const integer: Rule = ({ token: { kind, text, start, end } }) => {
  if (kind !== "number" || !/^\d+$/.test(text)) return [];
  return [1, -1].map((step) => ({ kind: "integer", start, end, replacement: `(${Number(text) + step})` }));
};

export const expressionRules: Rule[] = [opposite, nullTest, negation, coalesce, integer];

/** Whether the tokens from `index` on are these words. */
export function isPhrase(tokens: Token[], index: number, ...words: string[]): boolean {
  return words.every((word, offset) => tokens[index + offset]?.text === word);
}
