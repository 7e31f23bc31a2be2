import pg from "pg";

/** The database, or a queue in front of it, cannot take the request now. The same request may succeed later. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

/** One client has all the calls in a queue that it may have: a refusal, which says nothing of the service's health. */
export class ClientBusyError extends UnavailableError {
  override name = "ClientBusyError";
  /** What bounds the client: a variable of the environment, or the name of a fixed bound. */
  readonly policy: string;
  constructor(message: string, policy: string) {
    super(message);
    this.policy = policy;
  }
}

/** The connection failed before anything was sent, so the statement was certainly not executed. */
export class NotConnected extends Error {
  override name = "NotConnected";
}

/**
 * SQLSTATE classes and codes of temporary failures. 25006: a failover made the server a standby. 25P03, 25P04: this
 * process was too busy to finish a transaction in time. 28: the role's password was changed, and this process does not
 * have the new one yet. 55006: an account's phone or email changed while its erasure waited (private.erase_account).
 */
const temporaryStates = /^(08|25006|25P0[34]|28|40001|40P01|53|55006|55P03|57014|57P)/;
const temporaryNetworkErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);
/** node-pg's own errors have no code. */
const temporaryMessages =
  /^(Connection terminated|Query read timeout|timeout e(xceeded|xpired)|Client has encountered a connection error|Cannot use a pool after)/;

/** Whether the error is temporary, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (error instanceof NotConnected) return isUnavailable(error.cause);
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return temporaryMessages.test(error.message);
  if (isOfHook(error)) return false;
  return temporaryStates.test(code) || temporaryNetworkErrors.has(code);
}

/**
 * Whether a hook took too long, and PostgreSQL has ended the connection for it (private.run_hook): a fault, which the
 * next request would meet again.
 */
const isOfHook = (error: Error): boolean =>
  error instanceof pg.DatabaseError && error.code === "25P04" && (error.where ?? "").includes("private.run_hook(");

/** Whether the server refused a write because it is a standby, or its transactions are read-only. */
export function isReadOnly(error: unknown): boolean {
  if (error instanceof UnavailableError) return isReadOnly(error.cause);
  return error instanceof pg.DatabaseError && error.code === "25006";
}

/**
 * SQLSTATEs after which the connection is closed: classes 08 and 57P, the time-outs of transactions and idle
 * transactions.
 */
const closingStates = /^(08|57P|25P0[34]|25006)/;

/**
 * Whether the connection is lost with this error. PostgreSQL's own errors are about the statement, unless they end the
 * session. After any other error, time-outs included, it is unknown whether the statement was committed.
 */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) ||
  error.severity === "FATAL" ||
  error.severity === "PANIC" ||
  closingStates.test(error.code ?? "");

/** PostgreSQL's and the driver's temporary failures as an UnavailableError; another error as it is. */
export function asUnavailable(error: unknown): unknown {
  return isUnavailable(error) ? new UnavailableError((error as Error).message, { cause: error }) : error;
}
