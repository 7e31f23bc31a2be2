import { GraphQLError, OperationTypeNode, type ExecutionResult } from "postgraphile/graphql";
import { execute } from "postgraphile/grafast";
import { Problem } from "../../../http/problem.ts";
import { serializeData } from "../limits/response_size.ts";
import type { Caller } from "../../authorization/caller.ts";
import type { RequestBudget } from "../admission/budget.ts";
import type { Change } from "./changes.ts";
import type { Engine } from "../engine.ts";
import type { GraphqlRequest } from "../documents/graphql_request.ts";
import { maxResponseBytes } from "../../request_limits.ts";
import { callerClassOf, principalOf } from "../admission/principals.ts";
import { prepareRequest, RequestError, type PreparedRequest } from "../documents/prepare_request.ts";
import { Refusal } from "../../refusal.ts";
import { openTransaction } from "./transaction.ts";

export interface SerializedResult extends ExecutionResult {
  /** `data` as JSON. */
  dataJson: string;
}

/**
 * Executes one query or mutation, which succeeds or fails as a whole: with errors, `data` is null.
 * @throws RequestError if the request is invalid or exceeds a limit
 * @throws Refusal (429) if the caller's budget is exhausted, or a queue is full
 */
export async function executeRequest(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
): Promise<SerializedResult> {
  const { prepared, budget } = prepare(engine, caller, request);
  if (prepared.operation.operation === OperationTypeNode.SUBSCRIPTION)
    throw new RequestError([
      new GraphQLError("Subscriptions need a WebSocket (protocol graphql-transport-ws): POST does not run them."),
    ]);
  if (request.onlyReads && isMutation(prepared))
    throw new Problem("INVALID_REQUEST", { reason: "method_not_allowed" }, { Allow: "POST" });
  return executePrepared(engine, caller, request, prepared, budget);
}

/**
 * Prepares a request and charges the caller for it.
 * @returns the prepared request, and the budget to charge for its execution
 * @throws as executeRequest
 */
export function prepare(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
): { prepared: PreparedRequest; budget: RequestBudget } {
  const isKnown = engine.documents.isCached(request);
  const budget = engine.budget.admit(caller, isKnown);
  if (!isKnown) budget.countAsHeavy();
  const prepared = budget.run(() => prepareRequest(engine, request));
  if (prepared.isCostly) budget.countAsCostly();
  return { prepared, budget };
}

const isMutation = ({ operation }: PreparedRequest) => operation.operation === OperationTypeNode.MUTATION;

async function executePrepared(
  { audience, documents, databaseOf, timeouts }: Engine,
  caller: Caller,
  request: GraphqlRequest,
  prepared: PreparedRequest,
  budget: RequestBudget,
): Promise<SerializedResult> {
  const { audience: callerAudience, actor, settings } = caller;
  const { operation, isCostly, hasLargePlan, maxWrittenRows } = prepared;
  const maxMs = isCostly || isMutation(prepared) ? timeouts.statementMs : timeouts.requestMs;
  const changes: Change[] = [];
  const isAdmin = callerAudience === "admin" || actor === "admin";
  const transaction = openTransaction(databaseOf(callerClassOf(caller)), {
    payer: { principal: principalOf(caller), budget },
    settings: { ...settings, statement_timeout: String(timeouts.statementMs) },
    readOnly: operation.operation === OperationTypeNode.QUERY,
    // On the shared connection, a slow read would delay the reads of other callers.
    usePool: isCostly || !documents.isCached(request),
    maxMs,
    maxWrittenRows,
    onWrite: isAdmin ? (change) => changes.push(change) : undefined,
  });
  let hasEnded = false;
  try {
    const { operationName } = request;
    // Plans the operation, and starts its execution, before it returns.
    const execution = budget.run(() =>
      execute({
        resolvedPreset: audience.resolvedPreset,
        ...prepared.toExecutionArgs(),
        ...(operationName !== undefined && { operationName }),
        contextValue: { pgSettings: settings, withPgClient: transaction.withPgClient },
      }),
    );
    if (!hasLargePlan) documents.markPlanned(request);
    const result = (await execution) as ExecutionResult;
    // Never report rolled-back work as done. The first error is the cause of the others.
    if (result.errors?.[0]) return toFailure(result.errors[0]);
    const dataJson = budget.run(() => serializeData(result.data));
    budget.chargeResponse(dataJson instanceof Refusal ? maxResponseBytes : dataJson.length);
    if (dataJson instanceof Refusal) return toFailure(dataJson);
    hasEnded = true;
    // COMMIT may fail like a statement: it checks deferred constraints, and waits for a lock where NOTIFY was called.
    return await transaction.end("commit").then(() => {
      for (const change of changes) request.onChange?.(change);
      return { ...result, dataJson };
    }, toFailure);
  } finally {
    if (!hasEnded) await transaction.end("rollback").catch(() => undefined);
  }
}

const toFailure = (error: Error): SerializedResult => ({
  data: null,
  dataJson: "null",
  errors: [error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error })],
});
