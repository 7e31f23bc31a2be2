import type pg from "pg";
import { GraphQLError } from "postgraphile/graphql";
import type { Log } from "../../../runtime/log.ts";
import { isFault, toProblem } from "../../../http/failures.ts";
import { extensionsOf, Refusal, timedOut } from "../../refusal.ts";
import { pathOfField } from "../documents/error_path.ts";

// What GraphQL's dialect adds to the failure map (http/failures.ts): errors of PostgreSQL that have a code and a
// message of their own, in a response with status 200. The map decides about all others.

const permissionDenied = new Refusal("permission-error", "This role lacks the permission for that.");
const wrongFormat = new Refusal("validation-failed", "A value has the wrong format for its column.");
const noOperator = new Refusal("validation-failed", "PostgreSQL has no such operator for the type of a column.");
const violates = (message: string) => new Refusal("constraint-violation", message);

const refusalsBySqlState = new Map<string, Refusal>(
  Object.entries({
    "42501": permissionDenied,
    "57014": timedOut,
    "55P03": timedOut,
    "23502": violates("A required column has no value."),
    "23503": violates(
      "A foreign key forbids this: a referenced row does not exist, or other rows still reference this one.",
    ),
    "23505": violates("A row with this key already exists."),
    "23514": violates("A value violates a check constraint of its column or table."),
    "21000": violates("Two of the objects describe the same row: send one of them."),
    "42P10": new Refusal("validation-failed", "order_by must begin with the columns of distinct_on, in any order."),
  }),
);

/**
 * Constraints whose messages our own functions write for clients. PostgreSQL's own messages may quote a row: they are
 * not sent.
 */
const constraintsWithMessages = new Set([
  "account_is_disabled_with_a_reason",
  "account_phone_is_given_once",
  "configuration_is_the_migrators",
  "configuration_value_is_valid",
  "event_subscription_is_the_migrators",
  "event_subscription_is_valid",
  "events_may_be_replayed",
  "events_may_be_verified",
  "invitation_is_for_no_account",
  "invitation_is_valid",
  "invitation_may_be_sent",
  "session_is_revoked_in_the_past",
  "session_needs_a_usable_account",
  "session_stays_revoked",
  "otp_transaction_stays_spent",
  "test_message_may_be_sent",
]);

/** Replaces an error with one that may be sent to the client, and logs it if it is a fault of the server. */
export function maskError(error: GraphQLError, log: Log): GraphQLError {
  const refusal = toRefusal(error, log);
  // Set by prepareRequest; a field that was executed has GraphQL's own path.
  const { path = pathOfField(error.path) } = error.extensions;
  return new GraphQLError(refusal.message, {
    ...(error.nodes && { nodes: error.nodes }),
    ...(error.path && { path: error.path }),
    ...(refusal.limit !== undefined && { originalError: refusal }),
    extensions: { path, ...extensionsOf(refusal) },
  });
}

/** The name of the limit that refused the request, of an error that may be sent. */
export function limitOf(errors: readonly GraphQLError[] | undefined): string | undefined {
  const cause = rootCause(errors?.[0]);
  return cause instanceof Refusal ? cause.limit : undefined;
}

function toRefusal(error: unknown, log: Log): Refusal {
  const cause = rootCause(error);
  const refusal = findRefusal(cause);
  if (refusal) return refusal;
  if (isFault(cause)) log.error({ err: cause }, "a GraphQL request failed");
  return new Refusal("unexpected", toProblem(cause).message);
}

/** Whether the response has the status of the failure map, which tells the client to try again, instead of 200. */
export function isRetryable(error: unknown): boolean {
  const cause = rootCause(error);
  return "Retry-After" in toProblem(findRefusal(cause) ?? cause).headers;
}

function findRefusal(cause: unknown): Refusal | undefined {
  if (cause instanceof Refusal) return cause;
  // The library's own message about the document quotes only the document and the schema.
  if (cause instanceof GraphQLError) return new Refusal("validation-failed", cause.message);
  if (!(cause instanceof Error)) return undefined;
  const { code, constraint = "", message, position, internalPosition } = cause as Partial<pg.DatabaseError> & Error;
  // Some types (ltree, jsonpath) call their own format a syntax. An error of a statement's syntax has a place in it.
  if (code === "42601" && position === undefined && internalPosition === undefined) return wrongFormat;
  // A function that is missing is a fault.
  if (code === "42883" && message.startsWith("operator ")) return noOperator;
  if (code === "23514" && constraintsWithMessages.has(constraint)) return violates(message);
  // An error of another library may have a number as its code.
  const state = String(code);
  // Class 22, data exceptions: for example, text that is not a uuid.
  return refusalsBySqlState.get(state) ?? (/^22...$/.test(state) ? wrongFormat : undefined);
}

/** The error that GraphQL wraps, if it wraps one. */
export function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}
