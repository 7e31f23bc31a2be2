import type { Caller } from "../../authorization/caller.ts";
import { lineOf, payerOf, type Account } from "./budget.ts";
import type { Engine } from "./engine.ts";
import type { GraphqlRequest } from "./graphql_request.ts";
import { prepareRequest, type PreparedRequest } from "./prepare_request.ts";

/**
 * Parses, validates and measures a request once it is its caller's turn, if its document is new or the caller's are dear.
 * @returns the request, and the account that pays for executing it
 * @throws Rejected when the request is wrong or too large
 * @throws Refusal when the caller's budget is spent, or too many wait
 */
export async function prepareInTurn(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
): Promise<{ prepared: PreparedRequest; account: Account }> {
  const { documents, budget } = engine;
  const isKnown = () => documents.isKnown(request);
  const waits = () => !isKnown() || budget.takesTurns(caller);
  if (waits()) {
    // Refused at once, not at its turn.
    budget.open(caller, isKnown());
    await engine.turn(lineOf(caller), payerOf(caller), waits);
  }
  const account = budget.open(caller, isKnown());
  return { prepared: account.spend(() => prepareRequest(engine, request)), account };
}
