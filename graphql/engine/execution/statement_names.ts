import type pg from "pg";

/** Prepared statements of one connection: clients can send any number of different queries. */
const maxPreparedStatements = 100;

const preparedNames = new WeakMap<pg.ClientBase, Set<string>>();

/**
 * The name of the prepared statement on this connection, or undefined if the connection has no room for another one.
 * The name contains the role, so that no plan made under one role's row-level security runs under another's
 * (CVE-2024-10976).
 */
export function preparedStatementName(
  client: pg.ClientBase,
  role: string,
  name: string | undefined,
): string | undefined {
  if (!name) return undefined;
  // PostgreSQL truncates names to 63 bytes.
  const preparedName = `${role} ${name}`.slice(0, 63);
  const names = preparedNames.get(client) ?? new Set();
  preparedNames.set(client, names);
  if (!names.has(preparedName) && names.size >= maxPreparedStatements) return undefined;
  names.add(preparedName);
  return preparedName;
}
