import type { ErrorRequestHandler } from "express";
import { asUnavailable, UnavailableError } from "../runtime/database/errors.ts";
import { sendProblem } from "./envelope.ts";
import { contextOf } from "./request_context.ts";
import { Problem, retryAfterSeconds } from "./problem.ts";

/**
 * Converts anything that was thrown into the client's error: status, code and headers. REST, the webhook, GraphQL over
 * HTTP and the health check all use it; GraphQL adds the codes of its dialect (graphql/engine/dialect.ts). An
 * unexpected error becomes INTERNAL_ERROR, which reveals nothing of its cause.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { status } = (error ?? {}) as { status?: unknown };
  // Express and body-parser mark a client's error with a status: a malformed path, JSON, length or encoding; GraphQL
  // does too.
  if (status === 406) return new Problem("INVALID_REQUEST", { reason: "not_acceptable" });
  if (status === 413) return new Problem("INVALID_REQUEST", { reason: "too_large" });
  if (status === 415) return new Problem("INVALID_REQUEST", { reason: "unsupported_media_type" });
  // Only GraphQL's own limits: they may be kept in a moment.
  if (status === 429) return new Problem("RATE_LIMIT_EXCEEDED", { retryAfterSeconds }, {}, { cause: error });
  if (typeof status === "number" && status >= 400 && status < 500)
    return new Problem("INVALID_REQUEST", { reason: "malformed" });
  // After the status: the error of an aborted request has one, and may have the code of a lost connection, too.
  const cause = asUnavailable(error);
  if (cause instanceof UnavailableError) return new Problem("SERVICE_UNAVAILABLE", null, {}, { cause });
  return new Problem("INTERNAL_ERROR");
}

/**
 * Whether an error is a bug or a fault of the service, which is logged. The others are the client's fault or temporary
 * (503).
 */
export const isFault = (error: unknown): boolean =>
  !(error instanceof Problem) && toProblem(error).code === "INTERNAL_ERROR";

/** The status line for a request that node:http could not parse, by the error's code. */
export const parserStatusLine = (code: string | undefined): string =>
  parserStatusLines[code ?? ""] ?? "400 Bad Request";

const parserStatusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** The last handler of the app. */
export function handleErrors(): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = toProblem(error);
    if (isFault(error)) contextOf(request).log.error({ err: error }, problem.message);
    sendProblem(request, response, problem);
  };
}
