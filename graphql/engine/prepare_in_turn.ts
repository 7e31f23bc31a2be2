import type { Caller } from "../authorization/caller.ts";
import type { RequestBudget } from "./budget.ts";
import type { Engine } from "./engine.ts";
import type { GraphqlRequest } from "./graphql_request.ts";
import { callerClassOf, payerOf } from "./payers.ts";
import { prepareRequest, type PreparedRequest } from "./prepare_request.ts";

/**
 * Prepares a request and charges the caller for it. Waits for a turn first if the document is not parsed and validated yet, or if
 * the caller's known documents cost so much that they must queue.
 * @returns the prepared request, and the budget to charge for its execution
 * @throws RequestError if the request is invalid or exceeds a limit
 * @throws Refusal (429) if the caller's budget is exhausted, or the queue is full
 */
export async function prepareInTurn(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
): Promise<{ prepared: PreparedRequest; budget: RequestBudget }> {
  const { documents, budget } = engine;
  const isCached = () => documents.isCached(request);
  // Many requests may have one new document: once the first one has prepared it, the others wait only for its plan.
  const isPrepared = () => documents.isValidated(request);
  const mustWait = () => !isPrepared() || budget.mustQueue(caller);
  if (mustWait()) {
    // Refuses a caller without budget now, instead of when the turn comes.
    budget.admit(caller, isPrepared());
    await engine.waitForTurn(callerClassOf(caller), payerOf(caller), mustWait, () => !isCached());
  }
  const isKnown = isPrepared();
  const requestBudget = budget.admit(caller, isKnown);
  const prepared = requestBudget.run(() => prepareRequest(engine, request));
  // Planning waits for a turn, and is charged as for any new document.
  const mustPlan = isKnown && !isCached();
  return { prepared, budget: mustPlan ? budget.admit(caller, false) : requestBudget };
}
