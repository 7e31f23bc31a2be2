import { GraphQLError, Kind, Lexer, parse, Source, TokenKind, visit, type DocumentNode } from "postgraphile/graphql";
import { limitExceeded } from "../../refusal.ts";
import { maxArgumentNodes, maxLines, maxNameLength, maxNesting, maxTokens } from "../../request_limits.ts";

const openingBrackets = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closingBrackets = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Parses a document of at most maxTokens tokens, maxNesting nested brackets, maxLines lines and names of maxNameLength
 * characters.
 * @throws GraphQLError for a syntax error, too many tokens or too deep nesting
 * @throws Refusal (limit-exceeded) for too many lines or too long a name
 */
export function parseDocument(query: string): DocumentNode {
  const source = new Source(query);
  checkTokens(new Lexer(source));
  const document = parse(source, { maxTokens });
  return /\boffset\s*:\s*"/.test(query) ? withOffsetsAsNumbers(document) : document;
}

/** Clients of Hasura write `offset: "1"`, because an offset is a bigint there. */
const withOffsetsAsNumbers = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Argument: (node) =>
      node.name.value === "offset" && node.value.kind === Kind.STRING && /^\d{1,10}$/.test(node.value.value)
        ? { ...node, value: { kind: Kind.INT, value: node.value.value } }
        : undefined,
  });

/** Runs before the parser, which is recursive: deep nesting overflows its stack. */
function checkTokens(lexer: Lexer): void {
  let nesting = 0;
  for (let tokens = 0; tokens <= maxTokens; tokens++) {
    const { kind, line, value } = lexer.advance();
    if (line > maxLines) throw limitExceeded("maxLines", `The document has more than ${maxLines} lines.`);
    if (kind === TokenKind.NAME && value.length > maxNameLength)
      throw limitExceeded("maxNameLength", `A name in the document has more than ${maxNameLength} characters.`);
    if (kind === TokenKind.EOF) return;
    if (openingBrackets.has(kind)) nesting++;
    if (closingBrackets.has(kind)) nesting--;
    if (nesting > maxNesting) throw new GraphQLError(`The document nests more than ${maxNesting} levels of brackets.`);
  }
}

/**
 * Limits the variables of a request before they are coerced: coercion is recursive, and slow for each object.
 * @throws GraphQLError if arrays and objects nest more than maxNesting levels
 * @throws Refusal (limit-exceeded) if there are more than maxArgumentNodes of them
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
      throw limitExceeded("maxArgumentNodes", `The variables hold more than ${maxArgumentNodes} arrays and objects.`);
    level = containers.flatMap((container) => Object.values(container) as unknown[]);
  }
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
