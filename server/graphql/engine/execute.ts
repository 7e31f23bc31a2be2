import { GraphQLError, OperationTypeNode, type ExecutionResult } from "postgraphile/graphql";
import { execute } from "postgraphile/grafast";
import { answerText } from "./answer_text.ts";
import type { Caller } from "../../authorization/caller.ts";
import { lineOf, payerOf, type Account } from "./budget.ts";
import type { Engine } from "./engine.ts";
import type { GraphqlRequest } from "./graphql_request.ts";
import { Refusal } from "./refusal.ts";
import { maxAnswerBytes } from "./limits.ts";
import { prepareInTurn } from "./prepare_in_turn.ts";
import { Rejected, type PreparedRequest } from "./prepare_request.ts";
import { openTransaction } from "./transaction.ts";

export interface Answer extends ExecutionResult {
  /** The data as JSON. */
  text: string;
}

/**
 * One operation, which succeeds or fails as a whole.
 * @throws Rejected when the request is wrong or too large
 * @throws Refusal when the caller's budget is spent
 */
export async function executeRequest(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
): Promise<Answer> {
  const { documents, turn, costly } = engine;
  const { prepared, account } = await prepareInTurn(engine, caller, request);
  if (prepared.operation.operation === OperationTypeNode.SUBSCRIPTION)
    throw new Rejected([new GraphQLError("Subscriptions are not answered over HTTP.")]);
  const answer = () => executePrepared(engine, caller, request, prepared, account);
  // A turn of its own: preparing and planning one after the other would hold the event loop twice as long.
  const mustPlan = () => !documents.isKnown(request);
  const payer = payerOf(caller);
  if (mustPlan()) await turn(lineOf(caller), payer, mustPlan);
  const waits = prepared.isCostly || (isMutation(prepared) && caller.audience === "user");
  return waits ? costly.run(lineOf(caller), payer, answer) : answer();
}

const isMutation = ({ operation }: PreparedRequest) => operation.operation === OperationTypeNode.MUTATION;

async function executePrepared(
  { audience, documents, access, longest }: Engine,
  { settings }: Caller,
  request: GraphqlRequest,
  prepared: PreparedRequest,
  account: Account,
): Promise<Answer> {
  const { operation, isCostly, isLarge, maxWrittenRows, executable } = prepared;
  const maxMs = isCostly || isMutation(prepared) ? longest.statementMs : longest.ms;
  const transaction = openTransaction(access, {
    settings: { ...settings, statement_timeout: String(longest.statementMs) },
    readOnly: operation.operation === OperationTypeNode.QUERY,
    // Whoever shares a connection waits for each other's reads.
    readsAlone: isCostly || !documents.isKnown(request),
    ...{ maxMs, maxWrittenRows },
  });
  let committed = false;
  try {
    const { resolvedPreset } = audience;
    const { operationName } = request;
    // Plans, and begins to execute, before it returns.
    const execution = account.spend(() =>
      execute({
        ...{ resolvedPreset, ...executable() },
        ...(operationName !== undefined && { operationName }),
        contextValue: { pgSettings: settings, withPgClient: transaction.withPgClient },
      }),
    );
    if (!isLarge) documents.remember(request);
    const result = (await execution) as ExecutionResult;
    // What is undone must not be told as if it had been done; the first error is the one that made the others.
    if (result.errors?.[0]) return failed(result.errors[0]);
    const text = account.spend(() => answerText(result.data));
    account.chargeAnswer(text instanceof Refusal ? maxAnswerBytes : text.length);
    if (text instanceof Refusal) return failed(new GraphQLError(text.message, { originalError: text }));
    committed = true;
    await transaction.end("commit");
    return { ...result, text };
  } finally {
    if (!committed) await transaction.end("rollback").catch(() => undefined);
  }
}

const failed = (error: GraphQLError): Answer => ({ data: null, errors: [error], text: "null" });
