import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "postgraphile/graphql";
import { checkDocumentSize, type DocumentSize } from "./document_size.ts";
import { Refusal } from "./refusal.ts";
import type { Engine } from "./engine.ts";
import type { GraphqlRequest } from "./graphql_request.ts";
import { fragmentsOf } from "./fragments.ts";
import { liftArguments } from "./lifted_arguments.ts";
import { costly } from "./limits.ts";
import { checkVariables } from "./parse_document.ts";
import { isLargePlan } from "./plan_caches.ts";
import { checkRequestSize, type RequestSize } from "./request_size.ts";

export interface PreparedRequest {
  /** As the client wrote it. */
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** It may take the event loop, or PostgreSQL, long. */
  isCostly: boolean;
  /** Rows that each of its mutations may write: what it wrote is counted, because nobody can know it before. */
  maxWrittenRows: number;
  /** The plan is too large to be kept for long. */
  isLarge: boolean;
  /** What to execute: the document and the variables, by the schema that keeps such plans. */
  executable: () => {
    schema: GraphQLSchema;
    document: DocumentNode;
    variableValues: Record<string, unknown>;
  };
}

/** The document is not to be executed: errors of it, in the words of the library or of the limits. */
export class Rejected extends Error {
  override name = "Rejected";
  readonly errors: readonly GraphQLError[];
  constructor(errors: readonly GraphQLError[]) {
    super("the document was rejected");
    this.errors = errors;
  }
}

const sizes = new WeakMap<OperationDefinitionNode, DocumentSize>();

/**
 * Everything before planning, for HTTP and sockets alike: parse, measure the document, validate it, coerce the
 * variables, measure what was coerced. Each step is bounded by the ones before it.
 * @throws Rejected
 */
export function prepareRequest(
  {
    audience: { schema },
    documents,
    lists,
    plans,
  }: Pick<Engine, "audience" | "documents" | "lists" | "plans">,
  { query, variables, operationName, onOperation }: GraphqlRequest,
): PreparedRequest {
  try {
    checkVariables(variables);
    const document = documents.parse(query);
    const operation = getOperationAST(document, operationName);
    if (!operation) throw new GraphQLError("There is no such operation in the document.");
    onOperation?.(operation);
    const size = sizes.get(operation) ?? checkDocumentSize(document, operation);
    sizes.set(operation, size);
    const errors = documents.validate(document);
    if (errors.length > 0) throw new Rejected(errors);
    const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
      maxErrors: 5,
      hideSuggestions: !documents.suggestions,
    });
    if (coerced.errors) throw new Rejected(coerced.errors);
    const fragments = fragmentsOf(document);
    const requestSize = checkRequestSize(schema, operation, fragments, coerced.coerced, lists);
    const isLarge = isLargePlan(size);
    const executable = () => {
      const lifted = liftArguments(schema, operation, fragments);
      return {
        schema: isLarge ? plans.large : plans.small,
        document: lifted.document,
        variableValues: { ...variables, ...lifted.values(coerced.coerced) },
      };
    };
    return {
      ...{ document, operation, isLarge, executable },
      isCostly: exceedsAny(requestSize, costly),
      maxWrittenRows: Math.floor(lists.maxCells / requestSize.cellsPerWrittenRow),
    };
  } catch (error) {
    if (error instanceof GraphQLError) throw new Rejected([error]);
    if (error instanceof Refusal)
      throw new Rejected([new GraphQLError(error.message, { originalError: error })]);
    throw error;
  }
}

const exceedsAny = (size: RequestSize, bounds: Partial<RequestSize>): boolean =>
  Object.entries(bounds).some(([name, bound]) => size[name as keyof RequestSize] > bound);
