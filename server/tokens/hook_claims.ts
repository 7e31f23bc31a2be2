import type { Session } from "../database/api_answers.ts";

/** What hook.claims adds to access tokens. private.hook_claims has checked its names and size. */
export type HookClaims = Readonly<Record<string, unknown>>;

export const hookClaimsOf = ({ claims }: Pick<Session, "claims">): HookClaims => (claims ?? {}) as HookClaims;

/** Claim roles: those of the caller beside its own role. */
export const rolesOf = (session: Pick<Session, "claims">): string[] => (hookClaimsOf(session).roles ?? []) as string[];

/** A name that a header may have. Other claims, such as URLs, are in tokens alone. */
const variableName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The claims as session variables of a Hasura engine: claim org_id is x-hasura-org-id. Variables are strings. An array
 * is a literal of PostgreSQL, with which Hasura's _in compares; of an object there is the JSON.
 */
export const hasuraVariables = (claims: HookClaims, prefix = "x-hasura-"): Record<string, string> =>
  Object.fromEntries(
    Object.entries(claims)
      .filter(([name, value]) => variableName.test(name) && value !== null)
      .map(([name, value]) => [prefix + inCaseOf(prefix, name.replaceAll("_", "-").toLowerCase()), toVariable(value)]),
  );

/** Each word begins as the prefix does: X-Hasura-Org-Id, x-hasura-org-id. */
const inCaseOf = (prefix: string, name: string): string =>
  prefix.startsWith("X") ? name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()) : name;

function toVariable(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.some((element) => typeof element === "object")) return JSON.stringify(value);
  return `{${value.map((element) => JSON.stringify(String(element))).join(",")}}`;
}
