import type pg from "pg";
import { GraphQLError } from "postgraphile/graphql";
import type { Log } from "../../../runtime/log.ts";
import { isUnavailable, Unavailable } from "../../../runtime/database_errors.ts";

export type ErrorCode =
  | "access-denied"
  | "permission-error"
  | "validation-failed"
  | "constraint-violation"
  | "limit-exceeded"
  | "timeout"
  | "unexpected";

/** A request that is refused, in words that may be sent. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly code: ErrorCode;
  /** The same request may well succeed in a moment. */
  readonly passing: boolean;
  constructor(code: ErrorCode, message: string, { passing = false } = {}) {
    super(message);
    this.code = code;
    this.passing = passing;
  }
}

/** Constraints whose sentences our own triggers wrote for people. Every other message may quote a row, and stays here. */
const readableConstraints = new Set([
  "configuration_value_is_valid",
  "session_stays_revoked",
  "otp_transaction_stays_spent",
]);

const permissionDenied = new Refusal("permission-error", "This role must not do that.");
const wrongValue = new Refusal("validation-failed", "A value has the wrong form for its column.");
export const tooSlow = new Refusal("timeout", "The request took too long.");
export const tooManyOfPayer = new Refusal(
  "limit-exceeded",
  "Too many requests of this user, or of guests at this address, wait for the server's time. Try again in a second.",
  { passing: true },
);
const broken = new Refusal("unexpected", "Something went wrong on our side.");
const unavailable = new Refusal(
  "unexpected",
  "The service cannot take this request now. Try again in a moment.",
  { passing: true },
);

const bySqlState = new Map<string, Refusal>(
  Object.entries({
    "42501": permissionDenied,
    "57014": tooSlow,
    "55P03": tooSlow,
    // This server was too busy to go on with its transaction.
    "25P03": unavailable,
    "23502": new Refusal("constraint-violation", "A column that must have a value has none."),
    "23503": new Refusal(
      "constraint-violation",
      "A row that it refers to, or that refers to it, stands against it.",
    ),
    "23505": new Refusal("constraint-violation", "There is such a row already."),
    "23514": new Refusal("constraint-violation", "A value is not one that its column takes."),
    "21000": new Refusal("constraint-violation", "Two of the objects are for the same row."),
  }),
);

/** What may be told of an error. Only what is in no catalog is logged, since only that is a fault. */
export function maskError(error: GraphQLError, log: Log): GraphQLError {
  const refusal = refusalOf(error, log);
  return new GraphQLError(refusal.message, {
    ...(error.nodes && { nodes: error.nodes }),
    ...(error.path && { path: error.path }),
    extensions: { code: refusal.code },
  });
}

export function refusalOf(error: unknown, log: Log): Refusal {
  const known = knownRefusal(error);
  if (!known) log.error({ err: rootCause(error) }, "a GraphQL request failed");
  return known ?? broken;
}

/** Whether the same request may well succeed in a moment. */
export const isPassing = (error: unknown): boolean => knownRefusal(error)?.passing === true;

function knownRefusal(error: unknown): Refusal | undefined {
  const cause = rootCause(error);
  if (cause instanceof Refusal) return cause;
  // The library's own words about the document: they quote nothing but the document and the schema.
  if (cause instanceof GraphQLError) return new Refusal("validation-failed", cause.message);
  const { code = "", constraint = "", message } = cause as Partial<pg.DatabaseError> & Error;
  if (code === "23514" && readableConstraints.has(constraint))
    return new Refusal("constraint-violation", message);
  const known = bySqlState.get(code);
  if (known) return known;
  // Class 22: data exceptions, such as text that is no uuid.
  if (code.startsWith("22") && code.length === 5) return wrongValue;
  return cause instanceof Unavailable || isUnavailable(cause) ? unavailable : undefined;
}

function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}
