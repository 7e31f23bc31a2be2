import type pg from "pg";
import { GraphQLError } from "postgraphile/graphql";
import type { Log } from "../../../runtime/log.ts";
import { isUnavailable, UnavailableError } from "../../../runtime/database_errors.ts";
import { catalog, Problem, retryAfterSeconds } from "../../http/problem.ts";

export type ErrorCode =
  | "access-denied"
  | "permission-error"
  | "validation-failed"
  | "constraint-violation"
  | "limit-exceeded"
  | "timeout"
  | "unexpected";

/** An error whose code and message may be sent to the client. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly code: ErrorCode;
  /** Whether the same request may succeed in a moment. */
  readonly retryable: boolean;
  constructor(code: ErrorCode, message: string, { retryable = false } = {}) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}

export const limitExceeded = (message: string): Refusal => new Refusal("limit-exceeded", message);

const permissionDenied = new Refusal("permission-error", "This role lacks the permission for that.");
const wrongFormat = new Refusal("validation-failed", "A value has the wrong format for its column.");
export const timedOut = new Refusal("timeout", "The request took too long.");
export const tooManyRequestsOfPayer = new Refusal(
  "limit-exceeded",
  "Too many requests of this user, or of guests at this address, are queued. Try again in a few seconds.",
  { retryable: true },
);
const internalError = new Refusal("unexpected", "Something went wrong on our side.");
const unavailable = new Refusal("unexpected", catalog.SERVICE_UNAVAILABLE.message, { retryable: true });

const refusalsBySqlState = new Map<string, Refusal>(
  Object.entries({
    "42501": permissionDenied,
    "57014": timedOut,
    "55P03": timedOut,
    // The event loop was too busy to send the transaction's next statement in time.
    "25P03": unavailable,
    // An account's phone or email changed while its erasure waited (private.erase_account).
    "55006": unavailable,
    // A deadlock: PostgreSQL ended one of two transactions, such as the erasure of an account and a change of its email.
    "40P01": unavailable,
    "23502": new Refusal("constraint-violation", "A required column has no value."),
    "23503": new Refusal(
      "constraint-violation",
      "A foreign key forbids this: a referenced row does not exist, or other rows still reference this one.",
    ),
    "23505": new Refusal("constraint-violation", "A row with this key already exists."),
    "23514": new Refusal(
      "constraint-violation",
      "A value violates a check constraint of its column or table.",
    ),
    "21000": new Refusal(
      "constraint-violation",
      "Two of the objects describe the same row: send one of them.",
    ),
  }),
);

/** Constraints whose messages our own functions write for clients. PostgreSQL's own messages may quote a row: they are not sent. */
const constraintsWithMessages = new Set([
  "account_is_disabled_with_a_reason",
  "account_phone_is_given_once",
  "configuration_value_is_valid",
  "session_is_revoked_in_the_past",
  "session_needs_a_usable_account",
  "session_stays_revoked",
  "otp_transaction_stays_spent",
  "test_message_may_be_sent",
]);

/** Replaces an error with one that may be sent to the client, and logs it if it is a fault of the server. */
export function maskError(error: GraphQLError, log: Log): GraphQLError {
  const { message, code } = toRefusal(error, log);
  return new GraphQLError(message, {
    ...(error.nodes && { nodes: error.nodes }),
    ...(error.path && { path: error.path }),
    extensions: { code },
  });
}

/** Converts an error of any kind. One that no rule below covers is a fault of the server: it is logged. */
export function toRefusal(error: unknown, log: Log): Refusal {
  const refusal = findRefusal(error);
  if (!refusal) log.error({ err: rootCause(error) }, "a GraphQL request failed");
  return refusal ?? internalError;
}

/**
 * What the client may try again in a moment: the message for it, and the problem that the failure map (server/http/failures.ts) has
 * for it. The problem's cause is for the log: our own text, or that of a temporary failure, which quotes no row.
 */
export function findRetryable(error: unknown): { message: string; problem: Problem } | undefined {
  const refusal = findRefusal(error);
  if (!refusal?.retryable) return undefined;
  const code = refusal.code === "limit-exceeded" ? "RATE_LIMIT_EXCEEDED" : "SERVICE_UNAVAILABLE";
  const cause = new UnavailableError((rootCause(error) as Error).message);
  return { message: refusal.message, problem: new Problem(code, { retryAfterSeconds }, {}, { cause }) };
}

function findRefusal(error: unknown): Refusal | undefined {
  const cause = rootCause(error);
  if (cause instanceof Refusal) return cause;
  // The library's own message about the document quotes only the document and the schema.
  if (cause instanceof GraphQLError) return new Refusal("validation-failed", cause.message);
  if (!(cause instanceof Error)) return undefined;
  const { code, constraint = "", message } = cause as Partial<pg.DatabaseError> & Error;
  if (code === "23514" && constraintsWithMessages.has(constraint))
    return new Refusal("constraint-violation", message);
  // An error of another library may have a number as its code.
  const state = String(code);
  const refusal = refusalsBySqlState.get(state);
  if (refusal) return refusal;
  // Class 22, data exceptions: for example, text that is not a uuid.
  if (/^22...$/.test(state)) return wrongFormat;
  return cause instanceof UnavailableError || isUnavailable(cause) ? unavailable : undefined;
}

function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}
