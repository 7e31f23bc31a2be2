import type { IncomingMessage } from "node:http";
import { RoleRefused } from "../authorization/session_variables.ts";
import { isFault, toProblem } from "../../http/failures.ts";
import { failureFields } from "../../http/envelope.ts";
import { contextOf } from "../../http/request_context.ts";
import { rootCause } from "../engine/execution/dialect.ts";
import { Refusal, type ErrorCode } from "../refusal.ts";

/** An HTTP request that is not a valid GraphQL request. status: for the failure map. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: 400 | 406 | 415;
  constructor(status: 400 | 406 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * The answer to the hash of a document that is not stored: by this message and code Apollo's clients send the document
 * with it. Its status is 200 in every media type, because some of them read no error in a body of another status; Apollo
 * Server does the same (@apollo/server 5, src/internalErrorClasses.ts, checked 2026-11-27).
 */
export const persistedQueryNotFound = new Refusal("PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound");

export interface ErrorResponse {
  status: number;
  code: ErrorCode;
  message: string;
  headers: Record<string, string>;
  /** For a program that reads no headers. */
  retryAfterSeconds?: number;
}

/**
 * GraphQL's code for the statuses of the failure map, and its message where that differs from the map's and the error's
 * own.
 */
const byStatus: Record<number, { code: ErrorCode; message?: string }> = {
  401: { code: "access-denied", message: "Not authorized." },
  405: { code: "validation-failed", message: "A mutation needs POST: GET only reads." },
  413: { code: "limit-exceeded" },
  415: { code: "validation-failed" },
  429: { code: "limit-exceeded" },
  500: { code: "unexpected" },
  503: { code: "unexpected" },
};

/**
 * The response to any error that a handler of POST /v1/graphql throws: status and headers of the failure map
 * (http/failures.ts), with a code of GraphQL's dialect. A fault of the server is logged.
 */
export function toErrorResponse(error: unknown, request: IncomingMessage): ErrorResponse {
  const cause = rootCause(error);
  if (cause === persistedQueryNotFound) {
    const { code, message } = persistedQueryNotFound;
    return { status: 200, headers: {}, code, message };
  }
  const problem = toProblem(cause);
  const { status, headers } = problem;
  const context = contextOf(request);
  context.addLogFields({ ...failureFields(problem), errorCode: undefined });
  if (cause instanceof Refusal) context.addLogFields({ policy: cause.limit });
  if (problem instanceof RoleRefused) return { status, headers, code: "access-denied", message: problem.message };
  if (isFault(cause)) context.log.error({ err: cause }, "a GraphQL request failed");
  const { code, message = problem.message } = byStatus[status] ?? {
    code: "validation-failed",
    message: "The request body is malformed.",
  };
  const hasOwnMessage = cause instanceof HttpError || (cause instanceof Refusal && status === 429);
  const { retryAfterSeconds } = problem.details ?? {};
  return {
    status,
    headers,
    code,
    message: hasOwnMessage ? cause.message : message,
    ...(typeof retryAfterSeconds === "number" && { retryAfterSeconds }),
  };
}
