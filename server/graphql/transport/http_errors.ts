import type { IncomingMessage } from "node:http";
import type { Log } from "../../../runtime/log.ts";
import { AuthorizationUnavailable, Unauthorized } from "../../authorization/authorize.ts";
import { toRefusal, type ErrorCode } from "../engine/refusal.ts";

/** An HTTP request that is no valid GraphQL request. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  readonly code: ErrorCode = "validation-failed";
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ErrorResponse {
  status: number;
  code: ErrorCode;
  message: string;
  headers?: Record<string, string>;
}

const retryHeaders = { "Retry-After": "2" };

/** The response to any error that a handler of POST /v1/graphql throws. A fault of the server is logged. */
export function toErrorResponse(error: unknown, request: IncomingMessage & { log: Log }): ErrorResponse {
  if (error instanceof HttpError) return error;
  if (error instanceof Unauthorized) {
    const challenge = request.headers.authorization === undefined ? "" : ', error="invalid_token"';
    const headers = { "WWW-Authenticate": `Bearer realm="latchkey"${challenge}` };
    return { status: 401, code: "access-denied", message: "Not authorized.", headers };
  }
  if (error instanceof AuthorizationUnavailable) {
    const message = "The request cannot be authorized now. Try again in a moment.";
    return { status: 503, code: "unexpected", message, headers: retryHeaders };
  }
  const { status } = error as { status?: unknown };
  // body-parser's errors have a status.
  if (status === 413) return { status, code: "limit-exceeded", message: "The request body is too large." };
  if (typeof status === "number" && status >= 400 && status < 500)
    return { status, code: "validation-failed", message: "The request body is malformed." };
  const { code, message, retryable } = toRefusal(error, request.log);
  if (!retryable) return { status: 500, code, message };
  return { status: code === "limit-exceeded" ? 429 : 503, code, message, headers: retryHeaders };
}
