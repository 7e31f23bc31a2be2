import pg from "pg";

/** The database or its queue cannot take the work now; the same request may well succeed in a moment. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

/**
 * SQLSTATE classes and codes that say "not now" rather than "wrong"; 25006: a server that a failover made a standby; 28: a role whose password
 * was changed, until this server is deployed with the new one.
 */
const passingStates = /^(08|25006|28|53|57P|55P03|57014|40001|40P01)/;
const passingErrors = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
]);
/** What node-pg says for itself carries no code. */
const passingMessages =
  /^(Connection terminated|Query read timeout|timeout e(xceeded|xpired)|Client has encountered a connection error|Cannot use a pool after)/;

export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (error instanceof NotConnected) return isUnavailable(error.cause);
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return passingMessages.test(error.message);
  return passingStates.test(code) || passingErrors.has(code);
}

/** Nothing was sent. */
export class NotConnected extends Error {
  override name = "NotConnected";
}

/** Classes 08 and 57P, and the time-outs of a transaction and of an idle one; a pooler that loses its server says 08P01. */
const endingStates = /^(08|57P|25P0[34]|25006)/;

/**
 * What PostgreSQL says is about the statement, unless with it ends the connection; anything else, a time that ran out
 * included, is about the connection, and nobody knows whether the statement was committed.
 */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) ||
  error.severity === "FATAL" ||
  error.severity === "PANIC" ||
  endingStates.test(error.code ?? "");
