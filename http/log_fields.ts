import type { IncomingMessage } from "node:http";

/**
 * Fields of a request's log line: ids, names and our own texts, never a phone, a code, a token or other text that the
 * client chose.
 */
export interface LogFields {
  /** The code of the error answer. */
  errorCode?: string | undefined;
  /** Its details.reason. */
  reason?: string | undefined;
  /** The limit that refused the request. */
  policy?: string | undefined;
  /** Why the service could not take the request: the message of PostgreSQL, of its driver, or of a queue. */
  cause?: string | undefined;
  /** "admin" for a request with the admin secret. */
  actor?: string | undefined;
  /** The role of the guest or user as whom the admin acts. */
  actsAs?: string | undefined;
  userId?: string | null | undefined;
  sessionId?: string | null | undefined;
  otpId?: string | null | undefined;
  /** The name of the GraphQL operation, if it has one, and its type. */
  operation?: string | undefined;
  operationType?: string | undefined;
  /** GraphQL's program, to which the request was forwarded, logs it. */
  forwarded?: true;
}

const fieldsKey = Symbol("log fields");
type Logged = IncomingMessage & { [fieldsKey]?: LogFields };

/** Adds fields to the log line of a request. A null or undefined value does not replace an earlier one. */
export function addLogFields(request: IncomingMessage, fields: LogFields): void {
  const logged = request as Logged;
  const known = logged[fieldsKey] ?? {};
  logged[fieldsKey] = known;
  for (const [name, value] of Object.entries(fields) as [keyof LogFields, unknown][])
    if (value != null) Object.assign(known, { [name]: value });
}

export const logFieldsOf = (request: IncomingMessage): LogFields | undefined => (request as Logged)[fieldsKey];
