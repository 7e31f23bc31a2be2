import { GraphQLError, Lexer, parse, Source, TokenKind, type DocumentNode } from "postgraphile/graphql";
import { maxNesting, maxTokens } from "./limits.ts";

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Parses a document of at most maxTokens tokens and maxNesting nested brackets.
 * @throws GraphQLError for a syntax error or a document beyond these bounds
 */
export function parseDocument(query: string): DocumentNode {
  const source = new Source(query);
  checkNesting(new Lexer(source));
  return parse(source, { maxTokens });
}

/** Reads tokens, because the parser itself is recursive and overflows the stack on deep nesting. */
function checkNesting(lexer: Lexer): void {
  let nesting = 0;
  for (let tokens = 0; tokens <= maxTokens; tokens++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (opening.has(kind)) nesting++;
    if (closing.has(kind)) nesting--;
    if (nesting > maxNesting)
      throw new GraphQLError(`The document nests more than ${maxNesting} levels of brackets.`);
  }
}

/** Whether a JSON value nests at most maxNesting arrays and objects; without recursion. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let nesting = 0; nesting <= maxNesting; nesting++) {
    level = level.flatMap((item) => (isContainer(item) ? (Object.values(item) as unknown[]) : []));
    if (level.length === 0) return true;
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
