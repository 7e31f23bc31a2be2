/**
 * A token of a function's body. Strings, quoted names and comments are one token each, so that no rule looks into them.
 */
export interface Token {
  kind: "string" | "name" | "number" | "word" | "operator" | "mark";
  text: string;
  start: number;
  end: number;
}

const lexemes =
  /(?<skipped>\s+|--[^\n]*|\/\*[^]*?\*\/)|(?<string>'(?:[^']|'')*')|(?<name>"[^"]*")|(?<number>\d+(?:\.\d+)?)|(?<word>[a-z_][a-z_0-9]*)|(?<mark>:=|::|=>|[^+\-*/<>=~!@#%^&|?])|(?<operator>[+\-*/<>=~!@#%^&|?]+)/gi;

/** The tokens of the body of a file's function, between its $$ and $$. */
export function readBody(sql: string): Token[] {
  const start = sql.indexOf("\nas $$") + "\nas $$".length;
  const end = sql.indexOf("$$;", start);
  if (start < "\nas $$".length || end < 0) throw new Error("no body between $$ and $$");
  return [...sql.slice(start, end).matchAll(lexemes)].flatMap(({ 0: text, index, groups = {} }) => {
    if (groups.skipped !== undefined) return [];
    const kind = kinds.find((name) => groups[name] !== undefined);
    return kind ? [{ kind, text, start: start + index, end: start + index + text.length }] : [];
  });
}

const kinds = ["string", "name", "number", "word", "operator", "mark"] as const;

/**
 * The index of the first token from `from` on for which `isWanted`, outside of parentheses that open after `from`; or
 * -1.
 */
export function findOutside(tokens: Token[], from: number, isWanted: (token: Token) => boolean): number {
  let depth = 0;
  for (const [offset, token] of tokens.slice(from).entries()) {
    if (depth === 0 && isWanted(token)) return from + offset;
    if (token.text === "(" || token.text === "[") depth += 1;
    if (token.text === ")" || token.text === "]") depth -= 1;
    if (depth < 0) return -1;
  }
  return -1;
}
