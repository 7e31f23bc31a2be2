import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { Problem } from "../../http/problem.ts";

/** The headers that carry the admin secret. */
export const adminHeaders = ["x-admin-secret", "x-hasura-admin-secret"];

/**
 * The request names a role or an id that its credentials do not give (400): nothing runs. The message is for the
 * client.
 */
export class RoleRefused extends Problem {
  override name = "RoleRefused";
  constructor(message: string) {
    super("INVALID_REQUEST", { reason: "role_refused" });
    this.message = message;
  }
}

const names = {
  "x-hasura-role": "role",
  "x-hasura-user-id": "userId",
  "x-hasura-session-id": "sessionId",
} as const;

/** What a request says about itself: whom it wants to run as. undefined: it does not say. An empty value is a value. */
export type SessionVariables = Partial<Record<(typeof names)[keyof typeof names], string | undefined>>;

/** Whether a header narrows a request to a role or to somebody's rows. @param name in lower case */
export const isSessionVariable = (name: string): boolean =>
  name.startsWith("x-hasura-") && !adminHeaders.includes(name);

/**
 * The session variables of a request.
 * @param headers names in lower case
 * @throws RoleRefused for one that has no meaning here: it would narrow nothing, and its sender expects that it does
 */
export function parseSessionVariables(headers: IncomingHttpHeaders): SessionVariables {
  const variables: SessionVariables = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !isSessionVariable(name)) continue;
    if (!(name in names))
      throw new RoleRefused(
        "X-Hasura-Role, X-Hasura-User-Id and X-Hasura-Session-Id are the session variables: leave others out.",
      );
    variables[names[name as keyof typeof names]] = String(value);
  }
  return variables;
}

/** Whom the admin acts as. */
export type Subject = { role: "guest"; sessionId: string } | { role: "user"; sessionId: string; userId: string };

const isId = (text: string | undefined): text is string => z.guid().safeParse(text).success;

/**
 * Whom a request with the admin secret wants to run as; undefined: as the admin.
 * @throws RoleRefused unless the role exists and the ids are exactly those that it needs
 */
export function parseSubject({ role, userId, sessionId }: SessionVariables): Subject | undefined {
  const hasId = userId !== undefined || sessionId !== undefined;
  if (role === undefined || role === "admin") {
    if (hasId) throw new RoleRefused("An id needs X-Hasura-Role: user or guest.");
    return undefined;
  }
  if (role !== "user" && role !== "guest") throw new RoleRefused("X-Hasura-Role must be user, guest or admin.");
  if (!isId(sessionId)) throw new RoleRefused("This role needs X-Hasura-Session-Id, the UUID of a session.");
  if (role === "guest") {
    if (userId !== undefined) throw new RoleRefused("A guest has no X-Hasura-User-Id.");
    return { role, sessionId };
  }
  if (!isId(userId)) throw new RoleRefused("This role needs X-Hasura-User-Id, the UUID of an account.");
  return { role, sessionId, userId: userId.toLowerCase() };
}

/** The text of a UUID may be in upper case. */
const isSameId = (a: string | undefined, b: string | undefined): boolean => a?.toLowerCase() === b?.toLowerCase();

/** @throws RoleRefused if a session variable of a request with a token is not the token's own */
export function requireOwn(variables: SessionVariables, own: SessionVariables): void {
  const { role = own.role, userId = own.userId, sessionId = own.sessionId } = variables;
  if (role !== own.role || !isSameId(userId, own.userId) || !isSameId(sessionId, own.sessionId))
    throw new RoleRefused(
      "X-Hasura-Role, X-Hasura-User-Id and X-Hasura-Session-Id must be those of the token: leave them out.",
    );
}
