import type { GraphqlRequest } from "../engine/documents/graphql_request.ts";
import { HttpError, persistedQueryNotSupported } from "./http_errors.ts";

/**
 * Validates the parsed JSON body of a GraphQL request.
 * @throws HttpError (400)
 * @throws Refusal persistedQueryNotSupported
 */
export function parseRequestBody(body: unknown): GraphqlRequest {
  if (Array.isArray(body)) throw new HttpError(400, "Batching is not supported: send one request at a time.");
  if (!isObject(body)) throw new HttpError(400, "The request body must be a JSON object.");
  const { query, variables, operationName, extensions } = body;
  if (query == null && isObject(extensions) && isObject(extensions.persistedQuery)) throw persistedQueryNotSupported;
  if (typeof query !== "string") throw new HttpError(400, "query must be a string.");
  if (variables != null && !isObject(variables)) throw new HttpError(400, "variables must be an object.");
  if (operationName != null && typeof operationName !== "string")
    throw new HttpError(400, "operationName must be a string.");
  if (extensions != null && !isObject(extensions)) throw new HttpError(400, "extensions must be an object.");
  // GraphQL over HTTP: an empty name is none.
  return { query, variables: variables ?? {}, operationName: operationName || undefined };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
