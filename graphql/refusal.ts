import { retryAfterSeconds } from "../http/problem.ts";

/** The values of `extensions.code`: the dialect of Hasura, and a code of Apollo's. */
export type ErrorCode =
  | "access-denied"
  | "permission-error"
  | "validation-failed"
  | "constraint-violation"
  | "limit-exceeded"
  | "timeout"
  | "unexpected"
  | "PERSISTED_QUERY_NOT_FOUND";

/** An error whose code and message may be sent to the client. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly code: ErrorCode;
  /** For the failure map (http/failures.ts): 429 if the same request may succeed in a moment. */
  readonly status: 429 | undefined;
  /** The name of the limit that refused the request, for the log and the metrics. */
  readonly limit: string | undefined;
  constructor(code: ErrorCode, message: string, { status, limit }: { status?: 429; limit?: string } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.limit = limit;
  }
}

/** What `extensions` say about a refusal: on a socket there is no header that says when to try again. */
export const extensionsOf = ({ code, status }: Refusal): { code: ErrorCode; retryAfterSeconds?: number } => ({
  code,
  ...(status === 429 && { retryAfterSeconds }),
});

/** @param limit mostly as in request_limits.ts */
export const limitExceeded = (limit: string, message: string): Refusal =>
  new Refusal("limit-exceeded", message, { limit });

/** A limit that the same request may keep in a moment. */
export const exceededForNow = (limit: string, message: string): Refusal =>
  new Refusal("limit-exceeded", message, { limit, status: 429 });

export const timedOut = new Refusal("timeout", "The request took too long.");
export const tooManyRequests = exceededForNow(
  "waitingPerPrincipal",
  "Too many requests of this user, or of guests at this address, are waiting. Try again in a few seconds.",
);
