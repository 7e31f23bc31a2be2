import type { IncomingMessage } from "node:http";

/** What the log says of one request. Ids and names only: never a phone, a code, a token or any other text of the client's. */
export interface LogFields {
  /** Of the error that was answered. */
  errorCode?: string | undefined;
  userId?: string | null | undefined;
  sessionId?: string | null | undefined;
  otpId?: string | null | undefined;
  /** A GraphQL operation's name, where it has one, and its type. */
  operation?: string | undefined;
  operationType?: string | undefined;
}

const fieldsKey = Symbol("what the log says of the request");
type Logged = IncomingMessage & { [fieldsKey]?: LogFields };

/** Adds fields to the line of a request. One that is null or undefined does not undo what was added before. */
export function addLogFields(request: IncomingMessage, fields: LogFields): void {
  const logged = request as Logged;
  const known = logged[fieldsKey] ?? {};
  logged[fieldsKey] = known;
  for (const [name, value] of Object.entries(fields) as [keyof LogFields, string | null | undefined][])
    if (value != null) known[name] = value;
}

export const logFieldsOf = (request: IncomingMessage): LogFields | undefined =>
  (request as Logged)[fieldsKey];
