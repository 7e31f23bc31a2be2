import { GraphQLError, OperationTypeNode, type ExecutionArgs } from "postgraphile/graphql";
import type { Context, SubscribePayload } from "graphql-ws";
import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../authorization/caller.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Engine } from "../engine/engine.ts";
import type { GraphqlRequest } from "../engine/graphql_request.ts";
import { prepareInTurn } from "../engine/prepare_in_turn.ts";
import { Rejected } from "../engine/prepare_request.ts";

/** What the connection_init payload may name; nothing else of it is passed on. */
const credentials = ["authorization", "x-admin-secret", "x-hasura-admin-secret"];

/** {headers: {Authorization}} as Hasura's clients send it, or {Authorization}; names in any case. */
export function headersOf(params: Context["connectionParams"]): IncomingHttpHeaders {
  const given = { ...params, ...(params?.headers as Record<string, unknown> | undefined) };
  const lower = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    lower.filter(([name, value]) => credentials.includes(name) && typeof value === "string"),
  ) as IncomingHttpHeaders;
}

/** What graphql-ws asks for, and the request as it came, which our own executor takes. */
export interface Operation extends ExecutionArgs {
  request: GraphqlRequest;
}

/**
 * The operation that a socket sends, or what is wrong with it.
 * @param caller who pays for the time that it takes
 */
export async function operationOf(
  engine: Engine,
  payload: SubscribePayload,
  caller: Caller,
): Promise<Operation | GraphQLError[]> {
  const { query, variables, operationName } = payload;
  const request = { query, variables: variables ?? {}, operationName: operationName ?? undefined };
  try {
    const { prepared } = await prepareInTurn(engine, caller, request);
    const { document, operation } = prepared;
    if (
      operation.operation === OperationTypeNode.SUBSCRIPTION &&
      operation.selectionSet.selections.length !== 1
    ) {
      return [asError(new Refusal("validation-failed", "A subscription has one root field."))];
    }
    return {
      schema: engine.audience.schema,
      document,
      ...(operationName != null && { operationName }),
      request,
    };
  } catch (error) {
    if (error instanceof Rejected) return error.errors.map(asError);
    if (error instanceof Refusal) return [asError(error)];
    throw error;
  }
}

/** What prepareRequest throws says nothing but what is wrong with the request. */
function asError(error: GraphQLError | Refusal): GraphQLError {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const code = cause instanceof Refusal ? cause.code : "validation-failed";
  return new GraphQLError(error.message, { extensions: { code } });
}
