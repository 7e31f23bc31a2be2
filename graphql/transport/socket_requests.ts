import {
  GraphQLError,
  OperationTypeNode,
  type ExecutionArgs,
  type ExecutionResult,
  type OperationDefinitionNode,
} from "postgraphile/graphql";
import type { Context, SubscribePayload } from "graphql-ws";
import type { IncomingHttpHeaders } from "node:http";
import type { Log } from "../../runtime/log.ts";
import type { Caller } from "../authorization/caller.ts";
import { adminHeaders, isSessionVariable } from "../authorization/session_variables.ts";
import type { Engine } from "../engine/engine.ts";
import { executeRequest, prepare } from "../engine/execution/execute.ts";
import type { GraphqlRequest } from "../engine/documents/graphql_request.ts";
import { RequestError } from "../engine/documents/prepare_request.ts";
import { maskError } from "../engine/execution/dialect.ts";
import { wholeRequest } from "../engine/documents/error_path.ts";
import { extensionsOf, Refusal } from "../refusal.ts";
import type { ChangeSource } from "../hasura/subscriptions.ts";
import { sourcesOf } from "./live_sources.ts";
import { createStream, type Stream } from "./stream_query.ts";

/** Only these members of the connection_init payload, and session variables, reach the webhook. */
const credentialHeaders = ["authorization", ...adminHeaders];

/**
 * The credentials of a connection_init payload: {headers: {Authorization}} as Hasura's clients send it, or
 * {Authorization}; and the session variables of the payload and of the upgrade request. Names are case-insensitive.
 * @returns undefined if two values of one name differ: whose socket it is would be ambiguous
 */
export function toCredentialHeaders(
  params: Context["connectionParams"],
  upgradeHeaders: IncomingHttpHeaders,
): IncomingHttpHeaders | undefined {
  const variables = Object.entries(upgradeHeaders).filter(([name]) => isSessionVariable(name));
  const members = [params, params?.headers].flatMap((source) => Object.entries(source ?? {}));
  const credentials = [...variables, ...members]
    .map(([name, value]): [string, unknown] => [name.toLowerCase(), value])
    .flatMap(([name, value]): [string, string][] => {
      // One that is no text still narrows: as text it is refused.
      if (isSessionVariable(name)) return [[name, String(value)]];
      return credentialHeaders.includes(name) && typeof value === "string" ? [[name, value]] : [];
    });
  const headers = Object.fromEntries(credentials) as IncomingHttpHeaders;
  return credentials.every(([name, value]) => headers[name] === value) ? headers : undefined;
}

/** The arguments that graphql-ws expects, and the request for our own executor. */
export interface Operation extends ExecutionArgs {
  request: GraphqlRequest;
  operation: OperationDefinitionNode;
  stream?: Stream;
  /** What a subscription reads again after. */
  sources: ReadonlySet<ChangeSource>;
}

/**
 * Prepares the operation of a subscribe message, and charges the caller for it.
 * @returns the operation, or the errors to send
 */
export function prepareOperation(
  engine: Engine,
  payload: SubscribePayload,
  caller: Caller,
): Operation | GraphQLError[] {
  const { query, variables, operationName } = payload;
  // An empty name is none, as over HTTP.
  const request = { query, variables: variables ?? {}, operationName: operationName || undefined };
  try {
    const { prepared } = prepare(engine, caller, request);
    const { document, operation } = prepared;
    if (operation.operation === OperationTypeNode.SUBSCRIPTION && operation.selectionSet.selections.length !== 1) {
      return [addCode(new Refusal("validation-failed", "A subscription must have exactly one root field."))];
    }
    const stream =
      operation.operation === OperationTypeNode.SUBSCRIPTION
        ? createStream(engine.audience.schema, document, operation, request)
        : undefined;
    return {
      schema: engine.audience.schema,
      document,
      operation,
      ...(stream && { stream }),
      sources: sourcesOf(document, engine.audience),
      ...(request.operationName !== undefined && { operationName: request.operationName }),
      request,
    };
  } catch (error) {
    if (error instanceof RequestError) return error.errors.map(addCode);
    if (error instanceof Refusal) return [addCode(error)];
    throw error;
  }
}

/** Needs no masking: before execution, all messages are graphql-js's or our own. */
function addCode(error: GraphQLError | Refusal): GraphQLError {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const { path = wholeRequest } = error instanceof GraphQLError ? error.extensions : {};
  return new GraphQLError(error.message, {
    ...(cause instanceof Refusal && { originalError: cause }),
    extensions: { path, ...(cause instanceof Refusal ? extensionsOf(cause) : { code: "validation-failed" }) },
  });
}

/** Executes a query or mutation. Never throws: the result has the errors that the HTTP endpoint would send. */
export async function executeOperation(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
  log: Log,
): Promise<ExecutionResult> {
  try {
    const { data, errors } = await executeRequest(engine, caller, request);
    return { ...(errors && { errors: errors.map((error) => maskError(error, log)) }), data: data ?? null };
  } catch (error) {
    if (error instanceof RequestError) return { errors: error.errors.map((cause) => maskError(cause, log)) };
    const { message } = error as Error;
    return { errors: [maskError(new GraphQLError(message, { originalError: error as Error }), log)] };
  }
}

/**
 * Reads a subscription. Never throws, as executeOperation.
 * @param request the subscription
 * @param query the text of subscriptionQuery. Once it is planned, this marks the subscription as planned, too. Otherwise it would count
 * as a new document each time it is sent, and could be refused because of other guests.
 */
export async function readSubscription(
  engine: Engine,
  caller: Caller,
  request: GraphqlRequest,
  query: string,
  log: Log,
): Promise<ExecutionResult> {
  const { documents } = engine;
  const result = await executeOperation(engine, caller, { ...request, query }, log);
  if (!documents.isCached(request) && documents.isCached({ ...request, query })) documents.markPlanned(request);
  return result;
}
