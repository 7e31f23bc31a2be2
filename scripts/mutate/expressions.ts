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
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "=": "<>",
  "<>": "=",
  "~": "!~",
  "!~": "~",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "->": "->>",
  "->>": "->",
  "#>": "#>>",
  "#>>": "#>",
  and: "or",
  or: "and",
  any: "all",
  all: "any",
  bool_or: "bool_and",
  bool_and: "bool_or",
  least: "greatest",
  greatest: "least",
  min: "max",
  max: "min",
  ceil: "floor",
  floor: "ceil",
  true: "false",
  false: "true",
  desc: "asc",
};

const opposite: Rule = ({ tokens, index, token: { kind, text, start, end } }) => {
  const replacement = kind === "operator" || kind === "word" ? opposites[text] : undefined;
  // A JSON number is cast as its text is: (a ->> 'b')::integer.
  const isCast =
    /^[-#]>>$/.test(text) && /^\)::(integer|bigint|numeric)$/.test(textFrom(tokens, endOfOperand(tokens, index + 1)));
  return replacement === undefined || isCast ? [] : [{ kind: "operator", start, end, replacement }];
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

/**
 * `x like y` to `x not like y`; also `in`, `between`, `exists` and `is distinct from`. What is negated already is left
 * to `negation`.
 */
const negated: Rule = ({ tokens, index, token: { text, start, end } }) => {
  if (tokens[index - 1]?.text === "not") return [];
  const isTest =
    ["like", "ilike", "between"].includes(text) ||
    ((text === "in" || text === "exists") && isPhrase(tokens, index + 1, "(")) ||
    (text === "distinct" && isPhrase(tokens, index - 1, "is", "distinct", "from"));
  return isTest ? [{ kind: "operator", start, end, replacement: `not ${text}` }] : [];
};

/** `a || b` to `a`. */
const concatenation: Rule = ({ tokens, index, token: { text, start } }) => {
  if (text !== "||") return [];
  const last = tokens[endOfOperand(tokens, index + 1) - 1];
  return last ? [{ kind: "operator", start, end: last.end, replacement: "" }] : [];
};

/** `coalesce(a, b)` to `(b)`, `nullif(a, b)` to `(a)`. */
const coalesce: Rule = ({ tokens, index, token, text }) => {
  const isNullif = isPhrase(tokens, index, "nullif", "(");
  if (!isNullif && !isPhrase(tokens, index, "coalesce", "(")) return [];
  const first = tokens[index + 2];
  const comma = tokens[findOutside(tokens, index + 2, ({ text: mark }) => mark === ",")];
  const close = tokens[findOutside(tokens, index + 2, ({ text: mark }) => mark === ")")];
  if (!first || !comma || !close) return [];
  const rest = isNullif ? text.slice(first.start, comma.start) : text.slice(comma.end, close.start);
  return [{ kind: token.text, start: token.start, end: close.end, replacement: `(${rest.trim()})` }];
};

const integer: Rule = ({ token: { kind, text, start, end } }) => {
  if (kind !== "number" || !/^\d+$/.test(text)) return [];
  return [1, -1].map((step) => ({ kind: "integer", start, end, replacement: `(${Number(text) + step})` }));
};

export const expressionRules: Rule[] = [opposite, nullTest, negation, negated, concatenation, coalesce, integer];

/** Whether the tokens from `index` on are these words. */
export function isPhrase(tokens: Token[], index: number, ...words: string[]): boolean {
  return words.every((word, offset) => tokens[index + offset]?.text === word);
}

/**
 * The index behind an operand such as `v_row.name`, `'text'::jsonb`, `f(a)[1]` or `(a -> b)`, which begins at `from`.
 */
function endOfOperand(tokens: Token[], from: number): number {
  let end = from + 1;
  if (tokens[from]?.text === "(") end = endOfGroup(tokens, from);
  for (;;) {
    const mark = tokens[end]?.text ?? "";
    if (mark === "(" || mark === "[") end = endOfGroup(tokens, end);
    else if (mark === "." || mark === "::") end += 2;
    else return end;
  }
}

/** The index behind the parenthesis that closes the one at `open`. */
const endOfGroup = (tokens: Token[], open: number): number =>
  findOutside(tokens, open + 1, ({ text }) => text === ")" || text === "]") + 1;

/** Three tokens, such as ")::integer". */
const textFrom = (tokens: Token[], index: number): string =>
  tokens.slice(index, index + 3).reduce((text, token) => text + token.text, "");
