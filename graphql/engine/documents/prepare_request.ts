import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "postgraphile/graphql";
import { checkDocumentSize, type DocumentSize } from "../limits/document_size.ts";
import { Refusal } from "../../refusal.ts";
import type { Engine } from "../engine.ts";
import type { GraphqlRequest } from "./graphql_request.ts";
import { fragmentsOf } from "./fragments.ts";
import { pathOfNode } from "./error_path.ts";
import { liftArguments } from "./lifted_arguments.ts";
import { orderCoerced, orderVariables } from "./order_of_columns.ts";
import { costlyThresholds, maxNameLength } from "../../request_limits.ts";
import { checkVariables } from "./parse_document.ts";
import { isLargePlan } from "./plan_caches.ts";
import { checkRequestSize, type RequestSize } from "../limits/request_size.ts";

/** A request that is valid and within the limits. */
export interface PreparedRequest {
  /** The client's document. */
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** Whether the request may occupy the event loop, or PostgreSQL, for long. */
  isCostly: boolean;
  /** Whether the plan is too large to be cached for long. */
  hasLargePlan: boolean;
  /** How many rows each mutation may write. They can only be counted once they are written. */
  maxWrittenRows: number;
  toExecutionArgs: () => {
    /** The schema whose plan cache suits the plan's size. */
    schema: GraphQLSchema;
    document: DocumentNode;
    variableValues: Record<string, unknown>;
  };
}

/**
 * A request error as the GraphQL specification defines it: raised before execution, so that the response has no `data`.
 * Each of `errors` comes from graphql-js, or has a Refusal as its `originalError`.
 */
export class RequestError extends Error {
  override name = "RequestError";
  readonly errors: readonly GraphQLError[];
  constructor(errors: readonly GraphQLError[]) {
    super("the GraphQL request is invalid or exceeds a limit");
    this.errors = errors;
  }
}

const documentSizes = new WeakMap<OperationDefinitionNode, DocumentSize>();

/**
 * Runs each step before planning: parses the document, measures it, validates it, coerces the variables and measures
 * the coerced arguments. The limits of each step keep the next one cheap.
 * @throws RequestError
 */
export function prepareRequest(
  engine: Pick<Engine, "audience" | "documents" | "listLimits" | "planCaches">,
  { query, variables, operationName, onOperation }: GraphqlRequest,
): PreparedRequest {
  const { documents, listLimits, planCaches } = engine;
  const { schema } = engine.audience;
  let document: DocumentNode | undefined;
  try {
    checkVariables(variables);
    document = documents.parse(query);
    const operation = getOperationAST(document, operationName);
    if (!operation) throw unknownOperation;
    onOperation?.(operation);
    const documentSize = documentSizes.get(operation) ?? checkDocumentSize(document, operation);
    documentSizes.set(operation, documentSize);
    const errors = documents.validate(document);
    if (errors.length > 0) throw new RequestError(errors);
    checkDeclared(operation, variables);
    const ordered = orderVariables(schema, operation, variables);
    const { coerced: values, errors: variableErrors } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      ordered,
      { maxErrors: 5, hideSuggestions: !documents.suggestions },
    );
    if (variableErrors) throw new RequestError(variableErrors);
    const coerced = orderCoerced(schema, operation, values, ordered);
    const fragments = fragmentsOf(document);
    const requestSize = checkRequestSize(schema, operation, fragments, coerced, listLimits);
    const hasLargePlan = isLargePlan(documentSize);
    const toExecutionArgs = () => {
      const lifted = liftArguments(schema, operation, fragments);
      return {
        schema: hasLargePlan ? planCaches.large : planCaches.small,
        document: lifted.document,
        variableValues: { ...ordered, ...lifted.valuesOf(coerced) },
      };
    };
    return {
      document,
      operation,
      hasLargePlan,
      toExecutionArgs,
      isCostly: exceedsAny(requestSize, costlyThresholds),
      maxWrittenRows: Math.floor(listLimits.maxCells / requestSize.cellsPerWrittenRow),
    };
  } catch (error) {
    throw toRequestError(error, document);
  }
}

/** Adds to each error where in the document it lies. */
function toRequestError(error: unknown, document: DocumentNode | undefined): unknown {
  if (error instanceof Refusal) return new RequestError([new GraphQLError(error.message, { originalError: error })]);
  if (!(error instanceof GraphQLError || error instanceof RequestError)) return error;
  const errors = error instanceof RequestError ? error.errors : [error];
  return new RequestError(
    errors.map((each) => {
      const { message, nodes, originalError } = each;
      if (!document || !nodes) return each;
      const extensions = { path: pathOfNode(document, nodes[0]) };
      return new GraphQLError(message, { nodes, originalError, extensions });
    }),
  );
}

/** A misspelled variable would leave a condition out, as if nobody had asked for it. @throws GraphQLError */
function checkDeclared(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  const declared = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  const unknown = Object.keys(variables).find((name) => !declared.has(name));
  if (unknown !== undefined)
    throw new GraphQLError(
      `The operation declares no variable "$${unknown.slice(0, maxNameLength)}": declare it, or leave its value out.`,
    );
}

const unknownOperation = new GraphQLError(
  "operationName must name an operation of the document; it is required if the document has several.",
);

const exceedsAny = (size: RequestSize, thresholds: Partial<RequestSize>): boolean =>
  Object.entries(thresholds).some(([name, threshold]) => size[name as keyof RequestSize] > threshold);
