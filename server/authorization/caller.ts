/** Who a GraphQL schema is for. Guests and users share one: what a guest may not see, row-level security keeps from it. */
export const audiences = { user: "latchkey_user", admin: "latchkey_admin" } as const;
export type Audience = keyof typeof audiences;

/** Who asks, as far as the database needs to know. */
export interface Caller {
  audience: Audience;
  /** Transaction-local settings: the role to become and its claims. */
  settings: { role: string } & Record<string, string>;
  /** When the token ends; the admin's secret does not. */
  expires: Date | undefined;
  /** The client's address as limits count it, where it is known. */
  address?: string;
}
