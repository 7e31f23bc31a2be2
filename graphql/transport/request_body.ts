import type { Request } from "express";
import type { GraphqlRequest } from "../engine/documents/graphql_request.ts";
import { HttpError } from "./http_errors.ts";

/** Finds the document of a request whose `extensions` have a hash. @param query the request's own, if it has one */
type FindDocument = (persistedQuery: object, query: string | undefined) => string;

/**
 * Validates the parsed JSON body of a GraphQL request.
 * @throws HttpError (400), and what findDocument throws
 */
export function parseRequestBody(body: unknown, findDocument: FindDocument): GraphqlRequest {
  if (Array.isArray(body)) throw new HttpError(400, "Batching is not supported: send one request at a time.");
  if (!isObject(body)) throw new HttpError(400, "The request body must be a JSON object.");
  return parseMembers(body, findDocument);
}

function parseMembers(members: Record<string, unknown>, findDocument: FindDocument): GraphqlRequest {
  const { query, variables, operationName, extensions } = members;
  if (extensions != null && !isObject(extensions)) throw new HttpError(400, "extensions must be an object.");
  const { persistedQuery } = extensions ?? {};
  if (typeof query !== "string" && !(query == null && isObject(persistedQuery)))
    throw new HttpError(400, "query must be a string.");
  if (variables != null && !isObject(variables)) throw new HttpError(400, "variables must be an object.");
  if (operationName != null && typeof operationName !== "string")
    throw new HttpError(400, "operationName must be a string.");
  return {
    query: isObject(persistedQuery) ? findDocument(persistedQuery, query ?? undefined) : String(query),
    variables: variables ?? {},
    // GraphQL over HTTP: an empty name is none.
    operationName: operationName || undefined,
  };
}

/**
 * Reads a request from the parameters of a GET, as GraphQL over HTTP has them. It may only read.
 * @throws as parseRequestBody
 */
export function parseRequestUrl({ originalUrl }: Request, findDocument: FindDocument): GraphqlRequest {
  const { searchParams } = new URL(originalUrl, "http://localhost");
  const parameter = (name: string): string | undefined => {
    const [value, ...others] = searchParams.getAll(name);
    if (others.length > 0) throw new HttpError(400, `The parameter ${name} must not be repeated.`);
    return value;
  };
  const json = (name: string): unknown => {
    const text = parameter(name);
    try {
      return text ? (JSON.parse(text) as unknown) : undefined;
    } catch {
      throw new HttpError(400, `The parameter ${name} must be JSON.`);
    }
  };
  const members = {
    query: parameter("query"),
    operationName: parameter("operationName"),
    variables: json("variables"),
    extensions: json("extensions"),
  };
  return { ...parseMembers(members, findDocument), onlyReads: true };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
