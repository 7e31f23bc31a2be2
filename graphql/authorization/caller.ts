/**
 * The audiences of GraphQL's schemas, with their roles. Guests and users share one: row-level security hides from guests
 * what they may not see.
 */
export const audiences = { user: ["latchkey_guest", "latchkey_user"], admin: ["latchkey_admin"] } as const;
export type Audience = keyof typeof audiences;

/** The caller of a request, as the database needs it. */
export interface Caller {
  audience: Audience;
  /** Settings that are local to a transaction: the database role and the claims. */
  settings: { role: string } & Record<string, string>;
  /**
   * When the token, or the session as whose holder the admin acts, expires; undefined for the admin, whose secret does
   * not expire.
   */
  expires: Date | undefined;
  /** The admin acts as this guest or user. */
  actor?: "admin";
  /** The client's address as limits count it, where it is known. */
  address?: string;
}

/** Each class has a pool of connections of its own, so that guests, who need no account, cannot delay users. */
export type CallerClass = "guests" | "users" | "admin";
