import type { IncomingMessage } from "node:http";
import { UnavailableError } from "../../../runtime/database_errors.ts";
import type { Log } from "../../../runtime/log.ts";
import { toProblem } from "../../http/failures.ts";
import { failureFields } from "../../http/envelope.ts";
import { addLogFields } from "../../http/log_fields.ts";
import { causeOfRetry, findRetryable, toRefusal, type ErrorCode } from "../engine/refusal.ts";

/** An HTTP request that is not a valid GraphQL request. status: for the failure map. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ErrorResponse {
  status: number;
  code: ErrorCode;
  message: string;
  headers: Record<string, string>;
}

/** GraphQL's code for the statuses of the failure map, and its message where that differs from the map's and the error's own. */
const byStatus: Record<number, { code: ErrorCode; message?: string }> = {
  401: { code: "access-denied", message: "Not authorized." },
  413: { code: "limit-exceeded" },
  429: { code: "limit-exceeded" },
  503: { code: "unexpected" },
};

/**
 * The response to any error that a handler of POST /v1/graphql throws: status and headers of the failure map
 * (server/http/failures.ts), with a code of GraphQL's dialect. A fault of the server is logged.
 */
export function toErrorResponse(error: unknown, request: IncomingMessage & { log: Log }): ErrorResponse {
  const retryable = findRetryable(error);
  // A Refusal may be the cause of an error that GraphQL wrapped. What is no Refusal itself keeps its own cause for the log.
  const problem = toProblem(error instanceof UnavailableError ? error : (retryable ?? error));
  const { status, headers } = problem;
  addLogFields(request, { cause: causeOfRetry(error), ...failureFields(problem), errorCode: undefined });
  if (status === 500) {
    const { code, message } = toRefusal(error, request.log);
    return { status, headers, code, message };
  }
  const { code, message = problem.message } = byStatus[status] ?? {
    code: "validation-failed",
    message: "The request body is malformed.",
  };
  const own = error instanceof HttpError ? error : retryable;
  return { status, headers, code, message: own?.message ?? message };
}
