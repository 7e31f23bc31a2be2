import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type ExecutionResult,
} from "postgraphile/graphql";
import { execute } from "postgraphile/grafast";
import type { Caller } from "./authorise.ts";
import type { Documents } from "./documents.ts";
import { Refusal } from "./errors.ts";
import { checkLimits } from "./limits.ts";
import type { AudienceSchema } from "./preset.ts";
import { openTransaction, type Access } from "./transaction.ts";

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

export interface Engine {
  audience: AudienceSchema;
  documents: Documents;
  access: Access;
  statementTimeoutMs: number;
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

/** One operation, which succeeds or fails as a whole: parsed, measured, validated, executed. */
export async function executeRequest(
  { audience, documents, access, statementTimeoutMs }: Engine,
  { settings }: Caller,
  { query, variables, operationName }: GraphqlRequest,
): Promise<ExecutionResult> {
  const { schema, resolvedPreset } = audience;
  const document = orRejected(() => documents.parse(query));
  const operation = getOperationAST(document, operationName);
  if (!operation) throw rejection("There is no such operation in the document.");
  orRejected(() => checkLimits(schema, document, operation, withDefaults(operation, variables)));
  const errors = documents.validate(document);
  if (errors.length > 0) throw new Rejected(errors);
  if (operation.operation === OperationTypeNode.SUBSCRIPTION)
    throw rejection("Subscriptions are not answered over HTTP.");
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 5 });
  if (coerced.errors) throw new Rejected(coerced.errors);

  const transaction = openTransaction(access, {
    settings: { ...settings, statement_timeout: String(statementTimeoutMs) },
    readOnly: operation.operation === OperationTypeNode.QUERY,
    maxMs: statementTimeoutMs,
  });
  let committed = false;
  try {
    const result = (await execute({
      schema,
      document,
      resolvedPreset,
      variableValues: variables,
      ...(operationName !== undefined && { operationName }),
      contextValue: { pgSettings: settings, withPgClient: transaction.withPgClient },
    })) as ExecutionResult;
    // What is undone must not be told as if it had been done; the first error is the one that made the others.
    if (result.errors?.[0]) return { data: null, errors: [result.errors[0]] };
    committed = true;
    await transaction.end("commit");
    return result;
  } finally {
    if (!committed) await transaction.end("rollback").catch(() => undefined);
  }
}

/** Defaults of variables count: the limits look at a document before it is validated. */
function withDefaults(
  { variableDefinitions = [] }: NonNullable<ReturnType<typeof getOperationAST>>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

const rejection = (message: string): Rejected => new Rejected([new GraphQLError(message)]);

function orRejected<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof GraphQLError) throw new Rejected([error]);
    if (error instanceof Refusal)
      throw new Rejected([new GraphQLError(error.message, { originalError: error })]);
    throw error;
  }
}
