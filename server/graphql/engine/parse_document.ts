import { GraphQLError, Lexer, parse, Source, TokenKind, type DocumentNode } from "postgraphile/graphql";
import { Refusal } from "./refusal.ts";
import { maxArgumentNodes, maxLines, maxNameLength, maxNesting, maxTokens } from "./limits.ts";

const opening = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Parses a document of at most maxTokens tokens, maxNesting nested brackets, maxLines lines and names of maxNameLength characters.
 * @throws GraphQLError for a syntax error, or beyond the first two bounds
 * @throws Refusal (limit-exceeded) beyond the others
 */
export function parseDocument(query: string): DocumentNode {
  const source = new Source(query);
  checkTokens(new Lexer(source));
  return parse(source, { maxTokens });
}

/** Reads tokens, because the parser itself is recursive and overflows the stack on deep nesting. */
function checkTokens(lexer: Lexer): void {
  let nesting = 0;
  for (let tokens = 0; tokens <= maxTokens; tokens++) {
    const { kind, line, value } = lexer.advance();
    if (line > maxLines) throw new Refusal("limit-exceeded", `The document has more than ${maxLines} lines.`);
    if (kind === TokenKind.NAME && value.length > maxNameLength)
      throw new Refusal(
        "limit-exceeded",
        `A name in the document has more than ${maxNameLength} characters.`,
      );
    if (kind === TokenKind.EOF) return;
    if (opening.has(kind)) nesting++;
    if (closing.has(kind)) nesting--;
    if (nesting > maxNesting)
      throw new GraphQLError(`The document nests more than ${maxNesting} levels of brackets.`);
  }
}

/**
 * Bounds the variables of a request before they are coerced, which recurses and takes long for each object; without recursion.
 * @throws GraphQLError beyond maxNesting arrays and objects inside each other
 * @throws Refusal (limit-exceeded) beyond maxArgumentNodes of them
 */
export function checkVariables(variables: Record<string, unknown>): void {
  let level = Object.values(variables);
  let count = 0;
  for (let nesting = 1; level.length > 0; nesting++) {
    const containers = level.filter(isContainer);
    if (nesting > maxNesting && containers.length > 0)
      throw new GraphQLError(`The variables nest more than ${maxNesting} levels of arrays and objects.`);
    count += containers.length;
    if (count > maxArgumentNodes)
      throw new Refusal(
        "limit-exceeded",
        `The variables hold more than ${maxArgumentNodes} arrays and objects.`,
      );
    level = containers.flatMap((item) => Object.values(item) as unknown[]);
  }
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
